-- The proposals that wait for a decision.
local M = {}

local draft = require("ide-companion.draft")
local kept = require("ide-companion.kept")
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

---Those whose server is gone are not meant: the next one counts from 1 again.
---@return ide-companion.Proposal|nil
local function find(id)
  for _, proposal in ipairs(waiting) do
    if proposal.id == id and not proposal.orphan then
      return proposal
    end
  end
end

---Takes it away, with everything that was opened for it and nothing else.
local function take_away(proposal)
  waiting = vim.tbl_filter(function(other)
    return other ~= proposal
  end, waiting)
  draft.flush(proposal)
  view.close(proposal, function()
    label.detach(proposal)
    proposal_of.delete(proposal)
  end)
end

---What the user has typed outlives a rejection, however it came about.
---@param sentence string what has happened
local function take_away_but_edits(proposal, sentence)
  local edits = proposal_of.is_edited(proposal) and text.get(proposal.proposed)
  take_away(proposal)
  if edits then
    kept.keep(proposal.label, edits, sentence .. " Your edits are kept.")
  else
    say.info(sentence)
  end
end

---@param follow fun(): boolean as `reload.prepare` gives it
local function on_accepted(proposal, follow)
  take_away(proposal)
  if follow() then
    say.warn((":IdeCompanion merge   Accepted; your buffer has unsaved changes: %s"):format(proposal.label))
  else
    say.info(("Accepted: %s."):format(proposal.label))
  end
  announce("DiffAccepted", proposal)
end

local function on_rejected(proposal)
  take_away_but_edits(proposal, ("Rejected: %s."):format(proposal.label))
  announce("DiffRejected", proposal)
end

---The decision does not count; what it was about stays within reach.
local function on_refused(proposal, kind, reason)
  if kind == "diffRejected" then
    return take_away_but_edits(proposal, reason) -- it was decided elsewhere, and its window is gone
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
      return say.warn("Nobody waits for this any more: the companion that asked has ended.")
    end
    return take_away_but_edits(proposal, "The companion that asked has ended.")
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
      return -- its agent was quicker
    elseif not result.taken then
      on_refused(proposal, kind, result.reason or "The decision does not count.")
    elseif kind == "diffAccepted" then
      on_accepted(proposal, follow)
    else
      on_rejected(proposal)
    end
  end)
end

---`:w` in its tab. What writes all files, or saves by itself, must not decide behind the user's back.
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
    take_away(proposal)
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
  take_away(proposal)
  announce("DiffClosed", proposal)
  return { content = content }
end

---`companion/readDiff`
function M.read(params)
  return { content = text.get(expect(params.id).proposed) }
end

---The server is gone: nobody waits any more. What the user has edited stays to be looked at.
---@return string|nil agent whose proposal was open
function M.orphan()
  local agent = waiting[1] and not waiting[1].orphan and waiting[1].agent or nil
  for _, proposal in ipairs(vim.list_extend({}, waiting)) do
    proposal.deciding = false -- the answer will not come
    if proposal_of.is_edited(proposal) then
      proposal.orphan = true
      vim.cmd.redrawstatus({ bang = true }) -- and the line above it
    else
      take_away(proposal)
    end
  end
  return agent
end

---Those that are to be seen in the browser only.
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

---The proposal that is meant: the one in the current tab, else the oldest.
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

---Goes to the oldest; from one that is looked at to the next.
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
