-- A proposal: two buffers, the file on disk and the proposed text, which is written like a file; and the decision.
local M = {}

local draft = require("ide-companion.draft")
local label = require("ide-companion.label")
local reload = require("ide-companion.reload")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local status = require("ide-companion.status")
local text = require("ide-companion.text")
local view = require("ide-companion.view")
local windows = require("ide-companion.windows")
local writing = require("ide-companion.writing")

---@class ide-companion.Proposal
---@field id string
---@field agent string
---@field filePath string
---@field label string
---@field newContent string
---@field original string|userdata `vim.NIL` for a new file
---@field notes string[]
---@field facts string[] What acceptance costs, and what a diff shows badly.
---@field words string[]|nil How it stands to its file, as `companion/updateDiff` has it.
---@field readOnlyReason string|nil Why the user's edits cannot reach the agent.
---@field own_version boolean The user edits it nevertheless.
---@field proposed integer buffer
---@field base integer buffer
---@field name string of the first buffer
---@field has_explained boolean|nil A message has said that no plugin accepts it.
---@field view table|nil Its windows.
---@field was_shown boolean|nil It has had the tab: its cursor is where the user has left it.
---@field deciding boolean A decision is on its way.
---@field ended string|nil Why no agent waits for it any more.
---@field hunks ide-companion.Hunk[] Where it differs from the file.
---@field compared integer|nil The tick of its buffer when it had the text of `hunks`.
---@field comments ide-companion.Comment[] What the user has written about it.
---@field draft_timer table|nil Runs while typed text has not been sent.
---@field last_text string Its text when the buffer was unloaded.
---@field on_closed fun() The user has closed it.

---Those that wait for a decision, oldest first.
---@type ide-companion.Proposal[]
M.waiting = {}

---Runs the user's autocommands.
function M.announce(name, proposal)
  vim.api.nvim_exec_autocmds("User", {
    pattern = "IdeCompanion" .. name,
    modeline = false,
    data = { id = proposal.id, agent = proposal.agent, path = proposal.filePath },
  })
end

---@return boolean whether the user has typed into it
function M.is_edited(proposal)
  return draft.text(proposal) ~= proposal.newContent
end

---@return boolean whether its agent takes no edits, and the user has not asked to edit their own version
function M.is_read_only(proposal)
  return proposal.readOnlyReason ~= nil and not proposal.own_version
end

---Nobody types into a read-only one by mistake.
function M.lock(proposal)
  vim.bo[proposal.proposed].modifiable = not M.is_read_only(proposal)
end

---Opens the oldest that the user has not decided, unless another one has the tab.
function M.show_next()
  for _, proposal in ipairs(M.waiting) do
    if not proposal.deciding then
      windows.try(view.open_when_possible, proposal)
      return
    end
  end
end

---Closes a proposal and everything that was opened for it.
function M.remove(proposal)
  M.waiting = vim.tbl_filter(function(other)
    return other ~= proposal
  end, M.waiting)
  draft.flush(proposal)
  view.close(proposal, function()
    label.detach(proposal)
    for _, buffer in ipairs({ proposal.proposed, proposal.base }) do
      text.delete_buffer(buffer)
    end
    vim.schedule(M.show_next)
  end)
end

---Closes a proposal that is not accepted. What the user has typed is saved in a listed buffer that no window shows and
---nothing deletes.
---@param sentence string why it closes
local function remove_and_save_edits(proposal, sentence)
  local edits = M.is_edited(proposal) and draft.text(proposal)
  M.remove(proposal)
  if not edits then
    return say.info(sentence)
  end
  local buffer = text.new_buffer("Your text", proposal.label, edits)
  vim.bo[buffer].buflisted = true
  say.warn(("%s Your edits are saved in buffer %d."):format(sentence, buffer))
end

---Closes a proposal for which no agent waits any more, when its user has finished typing in it: the rest of their words
---would land in the text behind it.
---@param why string
function M.abandon(proposal, why)
  proposal.ended = why
  vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
  windows.when(function()
    return not view.is_typed_in(proposal)
  end, function()
    if vim.tbl_contains(M.waiting, proposal) then
      remove_and_save_edits(proposal, ("%s: %s."):format(why, proposal.label))
    end
  end)
end

---@param notice string|nil what else the companion says
local function on_accepted(proposal, notice)
  M.remove(proposal)
  reload.expect(proposal)
  say.info(notice or ("Accepted: %s."):format(proposal.label))
  M.announce("DiffAccepted", proposal)
end

---The decision does not count. An accepted proposal stays open.
local function on_refused(proposal, kind, reason)
  if kind == "diffRejected" then
    return remove_and_save_edits(proposal, reason) -- it was decided elsewhere, and its window is closed
  end
  say.warn(reason)
  if vim.api.nvim_buf_is_loaded(proposal.proposed) then
    vim.bo[proposal.proposed].modified = true
    view.open_when_possible(proposal) -- `:wq` has closed it
  end
end

---Sends the user's decision.
---@param proposal ide-companion.Proposal
---@param kind "diffAccepted"|"diffRejected"
---@param with_comments boolean|nil its agent is to hear the user's comments
---@param sentence string|nil says that it is rejected
function M.decide(proposal, kind, with_comments, sentence)
  if proposal.deciding or not vim.tbl_contains(M.waiting, proposal) then
    return
  elseif proposal.ended then
    return remove_and_save_edits(proposal, ("%s: %s."):format(proposal.ended, proposal.label))
  end
  proposal.deciding = true
  local params = { id = proposal.id }
  if kind == "diffAccepted" then
    params.content = draft.text(proposal)
    params.ownVersion = proposal.own_version or nil
  end
  params.withComments = with_comments or nil
  draft.flush(proposal) -- what its agent takes no edits of can be recovered after a rejection
  rpc.request("companion/" .. kind, params, function(result, failure)
    proposal.deciding = false
    if not vim.tbl_contains(M.waiting, proposal) then
      return -- its agent has closed it meanwhile
    elseif failure or not result.taken then
      local reason = failure and failure.message or result.reason
      on_refused(proposal, kind, reason or "The decision does not count.")
    elseif kind == "diffAccepted" then
      on_accepted(proposal, result.notice)
    else
      remove_and_save_edits(proposal, (sentence or "Rejected: %s."):format(proposal.label))
      M.announce("DiffRejected", proposal)
    end
  end)
end

local function watch(proposal)
  local buffer = proposal.proposed
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { buffer = buffer, callback = callback })
  end
  writing.watch(proposal, function()
    M.decide(proposal, "diffAccepted")
  end)
  -- `:e!` restores the text of the agent.
  on("BufReadCmd", function()
    text.put(buffer, proposal.newContent)
    M.lock(proposal)
  end)
  -- After it is unloaded: until then it cannot be deleted. `:e!` has loaded it again by then.
  on(
    "BufUnload",
    vim.schedule_wrap(function()
      if not vim.api.nvim_buf_is_loaded(buffer) then
        proposal.on_closed()
      end
    end)
  )
end

-- A change that is accepted ahead is decided within that time.
local accepted_ahead_ms = 500

---Says so unless it is accepted ahead.
local function say_that_it_waits(proposal)
  local function waits()
    return vim.tbl_contains(M.waiting, proposal)
  end
  local function tell()
    if waits() then
      say.info(("%s proposes %s   :IdeCompanion diff"):format(proposal.agent, proposal.label), waits)
    end
  end
  if vim.tbl_contains(status.get().ahead, proposal.agent) then
    return vim.defer_fn(tell, accepted_ahead_ms)
  end
  tell()
end

---@param params table of `companion/openDiff`
---@return ide-companion.Proposal
local function create(params)
  local proposal = vim.tbl_extend("force", params, { deciding = false, own_version = false })
  proposal.comments = {}
  local original = params.original == vim.NIL and "" or params.original
  proposal.base = text.new_buffer("On disk", params.label, original)
  vim.bo[proposal.base].modifiable = false
  proposal.proposed = text.new_buffer(params.agent, params.label, params.newContent)
  proposal.name = vim.fn.bufname(proposal.proposed)
  vim.bo[proposal.proposed].buftype = "acwrite"
  M.lock(proposal)
  vim.b[proposal.proposed].ide_companion = { agent = params.agent, path = params.filePath }
  proposal.on_closed = function()
    -- The end of Neovim closes everything, and decides nothing.
    if vim.v.exiting == vim.NIL then
      M.decide(proposal, "diffRejected", false, "Closed, which rejects it: %s.")
    end
  end
  watch(proposal)
  draft.watch(proposal)
  return proposal
end

---`companion/openDiff`
function M.open(params)
  local proposal = create(params)
  M.waiting[#M.waiting + 1] = proposal
  local ok, failure = pcall(view.open_when_possible, proposal)
  if not ok then
    M.remove(proposal)
    error(failure, 0) -- the review page shows it instead
  end
  say_that_it_waits(proposal)
  M.announce("DiffOpened", proposal)
  return vim.NIL
end

---Changes that have ended are left out: the next server counts from 1 again.
---@return ide-companion.Proposal|nil
function M.find(id)
  for _, proposal in ipairs(M.waiting) do
    if proposal.id == id and not proposal.ended then
      return proposal
    end
  end
end

return M
