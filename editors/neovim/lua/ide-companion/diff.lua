-- The proposals that wait for a decision.
local M = {}

local draft = require("ide-companion.draft")
local label = require("ide-companion.label")
local proposal_of = require("ide-companion.proposal")
local reload = require("ide-companion.reload")
local say = require("ide-companion.say")
local text = require("ide-companion.text")
local review = require("ide-companion.review")
local view = require("ide-companion.view")

---@type ide-companion.Proposal[] oldest first
local waiting = {}

local function announce(name, proposal)
  vim.api.nvim_exec_autocmds("User", {
    pattern = "IdeCompanion" .. name,
    modeline = false,
    data = { id = proposal.id, agent = proposal.agent, path = proposal.filePath },
  })
end

---Orphans are left out: the next server counts from 1 again.
---@return ide-companion.Proposal|nil
local function find(id)
  for _, proposal in ipairs(waiting) do
    if proposal.id == id and not proposal.orphan then
      return proposal
    end
  end
end

---Closes a proposal and everything that was opened for it.
local function close(proposal)
  waiting = vim.tbl_filter(function(other)
    return other ~= proposal
  end, waiting)
  draft.flush(proposal)
  view.close(proposal, function()
    label.detach(proposal)
    proposal_of.delete(proposal)
  end)
end

---Saves text in a listed buffer that no window shows and nothing deletes.
---@return integer buffer
local function save_edits(proposal, content)
  local buffer = text.new_buffer("Your text", proposal.label, content)
  vim.bo[buffer].buflisted = true
  return buffer
end

---Closes a proposal that is not accepted. What the user has typed is saved.
---@param sentence string why it closes
local function close_and_save_edits(proposal, sentence)
  local edits = proposal_of.is_edited(proposal) and text.get(proposal.proposed)
  close(proposal)
  if edits then
    say.warn(("%s Your edits are saved in buffer %d."):format(sentence, save_edits(proposal, edits)))
  else
    say.info(sentence)
  end
end

---@param follow fun(): boolean from `reload.prepare`
local function on_accepted(proposal, follow)
  close(proposal)
  if follow() then
    say.warn((":IdeCompanion merge   Accepted; your buffer has unsaved changes: %s"):format(proposal.label))
  else
    say.info(("Accepted: %s."):format(proposal.label))
  end
  announce("DiffAccepted", proposal)
end

local function on_rejected(proposal)
  close_and_save_edits(proposal, ("Rejected: %s."):format(proposal.label))
  announce("DiffRejected", proposal)
end

---The decision does not count. An accepted proposal stays open.
local function on_refused(proposal, kind, reason)
  if kind == "diffRejected" then
    return close_and_save_edits(proposal, reason) -- it was decided elsewhere, and its window is closed
  end
  say.warn(reason)
  if vim.api.nvim_buf_is_loaded(proposal.proposed) then
    vim.bo[proposal.proposed].modified = true
    view.open(proposal) -- `:wq` has closed it
  end
end

---@param proposal ide-companion.Proposal
---@param kind "diffAccepted"|"diffRejected"
local function decide(proposal, kind)
  if proposal.deciding or not vim.tbl_contains(waiting, proposal) then
    return
  end
  if proposal.orphan then
    if kind == "diffAccepted" then
      return say.warn("No agent waits for this any more: the companion that asked has ended.")
    end
    return close_and_save_edits(proposal, "The companion that asked has ended.")
  end
  proposal.deciding = true
  local params = { id = proposal.id }
  local follow = reload.prepare(proposal)
  if kind == "diffAccepted" then
    params.content = text.get(proposal.proposed)
  end
  require("ide-companion.server").decide(kind, params, function(result)
    proposal.deciding = false
    if not vim.tbl_contains(waiting, proposal) then
      return -- its agent has closed it meanwhile
    elseif not result.taken then
      on_refused(proposal, kind, result.reason or "The decision does not count.")
    elseif kind == "diffAccepted" then
      on_accepted(proposal, follow)
    else
      on_rejected(proposal)
    end
  end)
end

---`:w` in its tab accepts it. `:wa` and plugins that save files decide nothing.
local function on_write(proposal)
  if not view.is_current(proposal) then
    return say.warn(("The proposal for %s is accepted by :w in its own tab only."):format(proposal.label))
  end
  if not proposal.orphan then
    vim.bo[proposal.proposed].modified = false
  end
  decide(proposal, "diffAccepted")
end

---`companion/openDiff`
function M.open(params)
  local proposal = proposal_of.create(params)
  draft.watch(proposal)
  waiting[#waiting + 1] = proposal
  proposal.on_write = function()
    on_write(proposal)
  end
  proposal.on_closed = function()
    decide(proposal, "diffRejected")
  end
  local ok, failure = pcall(view.open_when_possible, proposal)
  if not ok then
    close(proposal)
    error(failure, 0) -- the review page shows it instead
  end
  say.info((":IdeCompanion diff   %s proposes %s"):format(proposal.agent, proposal.label), function()
    return vim.tbl_contains(waiting, proposal)
  end)
  announce("DiffOpened", proposal)
  return vim.NIL
end

local function expect(id)
  return find(id) or error(("no diff %s is open"):format(id), 0)
end

---`companion/closeDiff`
function M.close(params)
  local proposal = expect(params.id)
  local content = text.get(proposal.proposed)
  close(proposal)
  announce("DiffClosed", proposal)
  return { content = content }
end

---`companion/readDiff`
function M.read(params)
  return { content = text.get(expect(params.id).proposed) }
end

---The server has ended, so no agent waits any more. Proposals that the user has edited stay open.
---@return string|nil agent whose proposal was open
function M.orphan()
  local agent = waiting[1] and not waiting[1].orphan and waiting[1].agent or nil
  for _, proposal in ipairs(vim.list_extend({}, waiting)) do
    proposal.deciding = false -- the answer will not come
    if proposal_of.is_edited(proposal) then
      proposal.orphan = true
      vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
    else
      close(proposal)
    end
  end
  return agent
end

---The proposals that only the browser shows.
local function in_browser()
  return review.waiting(function(id)
    return find(id) ~= nil
  end)
end

---@return integer|nil index of the proposal in the current tab
local function current_index()
  for index, proposal in ipairs(waiting) do
    if view.is_current(proposal) then
      return index
    end
  end
end

---Runs an action on the proposal of the current tab, else on the oldest.
local function with_current(action)
  local proposal = waiting[current_index() or 1]
  if proposal then
    return action(proposal)
  end
  local elsewhere = #in_browser() > 0
  say.info(elsewhere and ":IdeCompanion diff   The proposal waits in the browser" or "No proposal waits for you.")
end

function M.accept()
  with_current(function(proposal)
    decide(proposal, "diffAccepted")
  end)
end

function M.reject()
  with_current(function(proposal)
    decide(proposal, "diffRejected")
  end)
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  desc = "Send what was typed last into proposals",
  callback = function()
    for _, proposal in ipairs(waiting) do
      draft.flush(proposal)
    end
  end,
})

---Goes to the oldest proposal; from a proposal to the next one.
function M.show()
  local index = current_index()
  if #waiting == 0 and #in_browser() > 0 then
    return review.show(in_browser())
  elseif not index then
    return with_current(view.enter)
  end
  view.enter(waiting[index % #waiting + 1])
end

return M
