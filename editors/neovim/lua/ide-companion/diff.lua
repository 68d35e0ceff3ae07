-- What the user does with the proposals that wait: goes to them, and decides the current one.
local M = {}

local comments = require("ide-companion.comments")
local list = require("ide-companion.list")
local proposals = require("ide-companion.proposal")
local read_only = require("ide-companion.read_only")
local review = require("ide-companion.review")
local say = require("ide-companion.say")
local view = require("ide-companion.view")

---The server has ended, so no agent waits any more. Proposals that the user has edited stay open.
---@return string|nil agent whose proposal was open
function M.orphan()
  local waiting = proposals.waiting
  local agent = waiting[1] and not waiting[1].orphan and waiting[1].agent or nil
  for _, proposal in ipairs(vim.list_extend({}, waiting)) do
    proposal.deciding = false -- the answer will not come
    if proposals.is_edited(proposal) then
      proposal.orphan = true
      vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
      if not vim.api.nvim_buf_is_loaded(proposal.proposed) then
        proposal.on_closed() -- the rejection of `:q!` was on its way
      end
    else
      proposals.remove(proposal)
    end
  end
  return agent
end

---The proposals that only the browser shows.
local function in_browser()
  return review.waiting(function(id)
    return proposals.find(id) ~= nil
  end)
end

---@return integer|nil index of the proposal in the current tab
local function current_index()
  for index, proposal in ipairs(proposals.waiting) do
    if view.is_current(proposal) then
      return index
    end
  end
end

---Runs an action on the proposal of the current tab, else on the oldest.
local function with_current(action)
  local proposal = proposals.waiting[current_index() or 1]
  if proposal then
    return action(proposal)
  end
  local elsewhere = #in_browser() > 0
  say.info(elsewhere and ":IdeCompanion diff   The proposal waits in the browser" or "No proposal waits for you.")
end

function M.accept()
  with_current(function(proposal)
    proposals.decide(proposal, "diffAccepted")
  end)
end

---Makes the proposal editable, also when its agent takes no edits.
function M.edit()
  with_current(function(proposal)
    view.enter(proposal)
    read_only.unlock(proposal)
  end)
end

function M.reject()
  with_current(function(proposal)
    proposals.decide(proposal, "diffRejected")
  end)
end

---Decides, and sends the comments with it.
---@param kind "diffAccepted"|"diffRejected"
function M.decide_with_comments(kind)
  with_current(function(proposal)
    if comments.expect(proposal) then
      proposals.decide(proposal, kind, true)
    end
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

local function enter(proposal)
  view.enter(proposal)
  read_only.explain(proposal)
end

---Goes to the oldest proposal; from a proposal to the next one, or to the one before it.
---@param by nil|1|-1
function M.show(by)
  local waiting, index = proposals.waiting, current_index()
  if #waiting == 0 and #in_browser() > 0 then
    return review.show(in_browser())
  elseif not index then
    return with_current(enter)
  end
  enter(waiting[(index - 1 + (by or 1)) % #waiting + 1])
end

---Lists the proposals.
function M.list()
  with_current(function()
    list.show()
  end)
end

---Lists the changes of the proposal.
function M.hunks()
  with_current(list.show_hunks)
end

---Accepts what else waits of the agent whose proposal is current, after one question.
function M.accept_rest()
  with_current(function(proposal)
    list.decide_all("diffAccepted", proposal.agent)
  end)
end

---Accepts all that its agent proposes until the turn ends, after one question.
---@param stop_at string[]
function M.accept_ahead(stop_at)
  with_current(function(proposal)
    list.accept_ahead(proposal, stop_at)
  end)
end

return M
