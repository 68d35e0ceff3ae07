-- Neovim's lists of what waits: the proposals in the quickfix list, the changes of one in its location list. And
-- decisions about several proposals at once.
local M = {}

local draft = require("ide-companion.draft")
local proposals = require("ide-companion.proposal")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local status = require("ide-companion.status")
local view = require("ide-companion.view")

local api = vim.api

local title = "Proposals"
-- The number of the latest quickfix list of proposals.
local list_id
local largest_window = 10

---@return table|nil the turn that a proposal belongs to, as the server counts them
local function turn_of(proposal)
  for _, turn in ipairs(status.get().turns or {}) do
    if not proposal.ended and vim.tbl_contains(turn.waiting, proposal.id) then
      return turn
    end
  end
end

---`+3 -1`
local function size_of(hunks)
  local added, removed = 0, 0
  for _, hunk in ipairs(hunks) do
    removed, added = removed + hunk.removed, added + hunk.added
  end
  return ("+%d -%d"):format(added, removed)
end

---@return string what is known of its turn, with a comma: `2 of 5, ahead`
local function place_in_turn(proposal)
  local turn = turn_of(proposal)
  if not turn then
    return ""
  end
  for index, id in ipairs(turn.waiting) do
    if id == proposal.id then
      local place = (", %d of %d"):format(turn.decided + index, turn.decided + #turn.waiting)
      return turn.ahead and place .. ", ahead" or place
    end
  end
end

local function comments_of(proposal)
  local count = #proposal.comments
  return count == 0 and "" or count == 1 and ", 1 comment" or (", %d comments"):format(count)
end

local function edited(proposal)
  return proposals.is_edited(proposal) and ", edited by you" or ""
end

---@return integer the line of a hunk; of lines that went, the line where they were
local function line_of(proposal, hunk)
  return math.max(1, math.min(hunk.line, api.nvim_buf_line_count(proposal.proposed)))
end

local function to_item(proposal)
  local words = proposal.agent .. place_in_turn(proposal) .. edited(proposal) .. comments_of(proposal)
  return {
    bufnr = proposal.proposed,
    module = proposal.label,
    lnum = line_of(proposal, proposal.hunks[1] or { line = 1 }),
    text = size_of(proposal.hunks) .. "  " .. words,
  }
end

---Opens the window of a list, as high as it needs. @param command "copen"|"lopen"
local function open_window(command, count)
  vim.cmd(("botright %s %d"):format(command, math.min(count, largest_window)))
end

---The list follows: a proposal has come, or is gone.
---@param proposal ide-companion.Proposal
function M.follow(proposal)
  local list = list_id and vim.fn.getqflist({ id = list_id, items = true }) or {}
  if list.id ~= list_id or not list_id then
    return
  end
  local items = vim.tbl_filter(function(item)
    return item.bufnr ~= proposal.proposed
  end, list.items)
  if vim.tbl_contains(proposals.waiting, proposal) then
    items[#items + 1] = to_item(proposal)
  end
  vim.fn.setqflist({}, "r", { id = list_id, items = items })
end

---The user presses Enter in a quickfix window, which may show another list by now. A proposal is decided in its own
---tab, so it is not shown in this one.
local function enter()
  local list = vim.fn.getqflist({ title = true, items = true })
  local item = list.items[api.nvim_win_get_cursor(0)[1]]
  if list.title ~= title or not item then
    return vim.cmd(".cc")
  end
  for _, proposal in ipairs(proposals.waiting) do
    if proposal.proposed == item.bufnr then
      view.enter(proposal)
      return api.nvim_win_set_cursor(0, { line_of(proposal, { line = item.lnum }), 0 })
    end
  end
end

local function show(waiting)
  vim.fn.setqflist({}, " ", { title = title, items = vim.tbl_map(to_item, waiting) })
  list_id = vim.fn.getqflist({ id = 0 }).id
  open_window("copen", #waiting)
  vim.keymap.set("n", "<CR>", enter, { buffer = true, desc = "Go to the proposal" })
end

---Puts all proposals into the quickfix list.
function M.show()
  local waiting = proposals.waiting
  local left = #waiting
  for _, proposal in ipairs(waiting) do
    draft.when_compared(proposal, function()
      left = left - 1
      if left == 0 then
        show(waiting)
      end
    end)
  end
end

local function to_change(proposal, hunk)
  local first = hunk.added > 0 and api.nvim_buf_get_lines(proposal.proposed, hunk.line - 1, hunk.line, false)[1] or ""
  return {
    bufnr = proposal.proposed,
    lnum = line_of(proposal, hunk),
    module = proposal.label,
    text = ("%s  %s"):format(size_of({ hunk }), first),
  }
end

local function list_hunks(proposal)
  local hunks = proposal.hunks
  if #hunks == 0 then
    return say.info("There are no changes to list.")
  end
  local items = vim.tbl_map(function(hunk)
    return to_change(proposal, hunk)
  end, hunks)
  vim.fn.setloclist(0, {}, " ", { title = "Changes", items = items })
  open_window("lopen", #hunks)
  view.own(proposal, api.nvim_get_current_win())
end

---Puts the changes of a proposal into the location list of its window.
---@param proposal ide-companion.Proposal
function M.show_hunks(proposal)
  view.enter(proposal)
  draft.when_compared(proposal, list_hunks)
end

---Lines that a small screen has room for.
local function shortened(lines)
  local most = math.max(1, vim.o.lines - 8)
  if #lines <= most then
    return lines
  end
  local first = vim.list_slice(lines, 1, most)
  first[#first + 1] = ("  and %d more"):format(#lines - most)
  return first
end

local function ask(question, names, verb)
  local lines = vim.list_extend({ question }, shortened(names))
  return vim.fn.confirm(table.concat(lines, "\n"), ("&%s\n&Cancel"):format(verb), 2) == 1
end

local function names_of(all)
  return vim.tbl_map(function(proposal)
    return "  " .. proposal.label .. edited(proposal)
  end, all)
end

---Decides about several proposals after one question, which names those that the user has edited. Comments go along.
---@param kind "diffAccepted"|"diffRejected"
---@param agent string|nil only those of one agent
local function decide_all(kind, agent)
  local all = vim.tbl_filter(function(proposal)
    return not proposal.ended and (agent == nil or proposal.agent == agent)
  end, proposals.waiting)
  local verb = kind == "diffAccepted" and "Accept" or "Reject"
  local count = #all == 1 and "1 proposal" or ("%d proposals"):format(#all)
  local question = ("%s %s%s?"):format(verb, count, agent and " of " .. agent or "")
  if #all == 0 then
    return say.info("No agent waits for you.")
  elseif ask(question, names_of(all), verb) then
    for _, proposal in ipairs(all) do
      proposals.decide(proposal, kind, #proposal.comments > 0)
    end
  end
end

---@param kind "diffAccepted"|"diffRejected"
function M.decide_all(kind)
  decide_all(kind)
end

---@param agent string
function M.accept_rest(agent)
  decide_all("diffAccepted", agent)
end

---Accepts the rest of the turn that a proposal belongs to, also what comes later, after one question.
---@param proposal ide-companion.Proposal
---@param stop_at string[] patterns of files that wait for the user all the same, as in a `.gitignore`
function M.accept_ahead(proposal, stop_at)
  local turn = turn_of(proposal)
  if not turn then
    return say.info("The turn of this proposal is over.")
  end
  local waiting = vim.tbl_filter(function(one)
    return turn_of(one) == turn
  end, proposals.waiting)
  local except = #stop_at > 0 and ", except for " .. table.concat(stop_at, " ") or ""
  local question = ("Accept what %s proposes until its turn ends%s? Now:"):format(turn.agent, except)
  if ask(question, names_of(waiting), "Accept") then
    rpc.request("companion/acceptRest", { turn = turn.id, stopAt = stop_at }, function(_, failure)
      local done = ("The rest of %s is accepted   :IdeCompanion stop_ahead"):format(turn.agent)
      say.info(failure and failure.message or done)
    end)
  end
end

---From now on the user decides again.
function M.stop_ahead()
  local ahead = vim.tbl_filter(function(turn)
    return turn.ahead ~= nil
  end, status.get().turns or {})
  for _, turn in ipairs(ahead) do
    rpc.request("companion/stopAccepting", { turn = turn.id }, function(_, failure)
      say.info(failure and failure.message or ("You decide about %s again."):format(turn.agent))
    end)
  end
  if #ahead == 0 then
    say.info("Nothing is accepted ahead.")
  end
end

return M
