-- What the user does with the proposals that wait: goes to them, and decides the current one. And what the server does
-- with them: reads them, changes them and takes them back.
local M = {}

local comments = require("ide-companion.comments")
local draft = require("ide-companion.draft")
local list = require("ide-companion.list")
local proposals = require("ide-companion.proposal")
local say = require("ide-companion.say")
local status = require("ide-companion.status")
local stored = require("ide-companion.stored")
local text = require("ide-companion.text")
local view = require("ide-companion.view")

---The server has ended, so no agent waits any more.
function M.orphan()
  for _, proposal in ipairs(vim.list_extend({}, proposals.waiting)) do
    proposal.deciding = false -- no answer will come
    if proposals.is_edited(proposal) or view.is_typed_in(proposal) then
      proposals.abandon(proposal, "The companion has ended")
    else
      proposals.remove(proposal)
    end
  end
end

---@return integer|nil index of the proposal in the current tab
local function current_index()
  for index, proposal in ipairs(proposals.waiting) do
    if view.is_current(proposal) then
      return index
    end
  end
end

---Runs an action on the proposal of the current tab, else on the oldest. What Neovim cannot show waits on the page.
local function with_current(action)
  local proposal = proposals.waiting[current_index() or 1]
  if proposal then
    return action(proposal)
  end
  if #status.get().diffs == 0 then
    return say.info("No proposal waits for you.")
  end
  stored.page()
end

local function enter(proposal)
  view.enter(proposal)
  if proposals.is_read_only(proposal) then
    say.info(("%s   :IdeCompanion edit"):format(proposal.readOnlyReason))
  end
end

---Runs a decision on the proposal of the current tab, or on the only one. Of several, the user may have seen none.
local function with_seen(action)
  if #proposals.waiting < 2 or current_index() then
    return with_current(action)
  end
  local oldest = proposals.waiting[1]
  enter(oldest)
  say.info(("%d proposals wait, and this is the oldest: %s"):format(#proposals.waiting, oldest.label))
end

---@param kind "diffAccepted"|"diffRejected"
function M.decide(kind)
  with_seen(function(proposal)
    proposals.decide(proposal, kind)
  end)
end

---Makes the proposal editable, also when its agent takes no edits.
function M.edit()
  with_current(function(proposal)
    view.enter(proposal)
    if proposal.readOnlyReason then
      proposal.own_version = true
      proposals.lock(proposal)
      vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
      say.info((":w lets %s write its own text, then :IdeCompanion edits offers yours"):format(proposal.agent))
    end
  end)
end

---Decides, and sends the comments with it.
---@param kind "diffAccepted"|"diffRejected"
function M.decide_with_comments(kind)
  with_seen(function(proposal)
    if #proposal.comments == 0 then
      return say.info("Comment on a line first: :IdeCompanion comment")
    end
    proposals.decide(proposal, kind, true)
  end)
end

---Asks for a comment on lines of the current side.
---@param first integer 1-based
---@param last integer
function M.comment(first, last)
  with_current(function(proposal)
    comments.ask(proposal, first, last)
  end)
end

---Goes to the oldest proposal; from a proposal to the next one, or to the one before it.
---@param by 1|-1
function M.show(by)
  local waiting, index = proposals.waiting, current_index()
  if not index then
    return with_current(enter)
  end
  enter(waiting[(index - 1 + by) % #waiting + 1])
end

---Lists the proposals.
function M.list()
  with_current(function()
    list.show("waiting")
  end)
end

---Does something about the current proposal, and about more of its agent.
---@param action string of `companion/act`
---@param stop_at string[]|nil patterns of files that wait for the user all the same, as in a `.gitignore`
function M.act(action, stop_at)
  with_current(function(proposal)
    stored.act(action, proposal.id, stop_at)
  end)
end

local function expect(id)
  return proposals.find(id) or error(("no diff %s is open"):format(id), 0)
end

---`companion/closeDiff`
function M.close(params)
  local proposal = expect(params.id)
  local content = draft.text(proposal)
  draft.flush(proposal)
  if view.is_typed_in(proposal) then
    proposal.newContent = content -- the companion has it
    proposals.abandon(proposal, params.words)
  else
    proposals.remove(proposal)
  end
  proposals.announce("DiffClosed", proposal)
  return { content = content }
end

---`companion/updateDiff`: the file has changed. While the user types, nothing does here, and the server asks again.
function M.update(params)
  local proposal = expect(params.id)
  local buffer, content = proposal.proposed, draft.text(proposal)
  if content ~= params.seen or view.is_typed_in(proposal) or not vim.api.nvim_buf_is_loaded(buffer) then
    return { content = content }
  end
  for _, name in ipairs({ "original", "notes", "newContent", "words", "facts", "hunks" }) do
    proposal[name] = params[name]
  end
  text.put(proposal.base, params.original == vim.NIL and "" or params.original)
  vim.bo[proposal.base].modifiable = false
  text.change(buffer, params.content, params.edits)
  proposal.compared = vim.api.nvim_buf_get_changedtick(buffer)
  vim.bo[buffer].modified = proposals.is_edited(proposal)
  view.redraw(proposal)
  return { content = draft.text(proposal) }
end

---`companion/readDiff`
function M.read(params)
  return { content = draft.text(expect(params.id)) }
end

return M
