-- What the user writes about lines of a proposal. It goes to the agent with the decision.
local M = {}

local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-comments")

---@class ide-companion.Comment
---@field id string
---@field text string
---@field buffer integer the side that it is on
---@field mark integer an extmark, which follows its lines
---@field first integer its lines when they were looked at last: `:e!` removes the mark
---@field last integer
---@field quote string these lines

-- In both diff views a text below its line would move the lines of one side only.
local sign = "▎"

---@param comment ide-companion.Comment
---@return integer first, integer last 1-based lines as they stand
local function lines_of(comment)
  local found = api.nvim_buf_get_extmark_by_id(comment.buffer, space, comment.mark, { details = true })
  if found[1] then
    comment.first = found[1] + 1
    comment.last = math.max(found[1], found[3].end_row or found[1]) + 1
  end
  return comment.first, comment.last
end

---@return string
local function text_of(comment, first, last)
  return table.concat(api.nvim_buf_get_lines(comment.buffer, first - 1, last, false), "\n")
end

---The text of a comment: after its last line in a diff of two sides, else in separate lines.
local function shown(proposal, comment)
  local rest, window = sign .. " " .. comment.text, vim.fn.bufwinid(comment.buffer)
  local info = window > 0 and vim.fn.getwininfo(window)[1]
  local width, lines = info and info.width - info.textoff or vim.o.columns, {}
  if proposal.view ~= nil and proposal.view.base ~= nil then
    return { virt_text = { { rest, "DiagnosticInfo" } } }
  end
  while rest ~= "" do
    local part = vim.fn.printf("%." .. width .. "S", rest)
    local words = #part < #rest and part:match("^(.*%S%s+)%S*$")
    lines[#lines + 1] = { { words or part, "DiagnosticInfo" } }
    rest = rest:sub(#(words or part) + 1)
  end
  return { virt_lines = lines }
end

---@param first integer
---@param last integer
local function place(proposal, comment, first, last)
  comment.first, comment.last, comment.quote = first, last, text_of(comment, first, last)
  local mark = { id = comment.mark, end_row = last - 1, sign_text = sign, sign_hl_group = "DiagnosticInfo" }
  mark = vim.tbl_extend("error", mark, shown(proposal, comment))
  comment.mark = api.nvim_buf_set_extmark(comment.buffer, space, first - 1, 0, mark)
end

---All comments on a proposal, as the companion takes them.
---@param proposal ide-companion.Proposal
---@return table[] by side and line
function M.list(proposal)
  local all = vim.tbl_map(function(comment)
    local first, last = lines_of(comment)
    comment.quote = text_of(comment, first, last)
    return {
      id = comment.id,
      side = comment.buffer == proposal.base and "original" or "proposed",
      startLine = first,
      endLine = last,
      quote = comment.quote,
      text = comment.text,
    }
  end, proposal.comments)
  table.sort(all, function(one, other)
    if one.side ~= other.side then
      return one.side == "proposed"
    end
    return one.startLine < other.startLine or one.startLine == other.startLine and one.endLine < other.endLine
  end)
  return all
end

---Shows them, and lets the companion save them.
local function changed(proposal)
  vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
  if not proposal.ended then
    rpc.notify("companion/comments", { id = proposal.id, comments = M.list(proposal) })
  end
end

---@return ide-companion.Comment|nil that is on a line, or on exactly these lines
local function at(proposal, buffer, first, last)
  for _, comment in ipairs(proposal.comments) do
    local from, to = lines_of(comment)
    local is_on = first == last and from <= first and first <= to or from == first and to == last
    if comment.buffer == buffer and is_on then
      return comment
    end
  end
end

local function remove(proposal, comment)
  api.nvim_buf_del_extmark(comment.buffer, space, comment.mark)
  proposal.comments = vim.tbl_filter(function(other)
    return other ~= comment
  end, proposal.comments)
end

local function add(proposal, buffer, first, last, text)
  proposal.comment_count = proposal.comment_count + 1
  local comment = { id = tostring(proposal.comment_count), text = text, buffer = buffer }
  place(proposal, comment, first, last)
  table.insert(proposal.comments, comment)
end

---Asks for a comment on lines of the side that the user is in. On a line that has one it changes that; an empty text
---deletes it.
---@param proposal ide-companion.Proposal
---@param first integer 1-based
---@param last integer
function M.ask(proposal, first, last)
  local buffer = api.nvim_get_current_buf()
  if buffer ~= proposal.proposed and buffer ~= proposal.base then
    return say.info("Go to a line of the proposal first: :IdeCompanion diff")
  end
  local known = at(proposal, buffer, first, last)
  if known then
    first, last = lines_of(known)
  end
  local where = first == last and ("line %d"):format(first) or ("lines %d-%d"):format(first, last)
  local options = { prompt = ("Comment on %s: "):format(where), default = known and known.text or "" }
  vim.ui.input(options, function(answer)
    if not answer then
      return
    elseif proposal.ended or not api.nvim_buf_is_loaded(buffer) then
      local is_on_clipboard = require("ide-companion.text").copy(answer)
      local copied = is_on_clipboard and "on the clipboard" or 'in register "'
      return say.warn(("The proposal has closed. Your comment is %s"):format(copied))
    end
    local text = vim.trim(answer)
    if known and text == "" then
      remove(proposal, known)
    elseif known then
      known.text = text
      place(proposal, known, lines_of(known))
    elseif text ~= "" then
      add(proposal, buffer, first, last, text)
    end
    changed(proposal)
  end)
end

---@return integer the line, next to where the comment was, from which its quote stands; else that line, or the last one
local function find_quote(comment)
  local all, height = api.nvim_buf_line_count(comment.buffer), comment.last - comment.first
  for distance = 0, all do
    for _, line in ipairs({ comment.first - distance, comment.first + distance }) do
      if line >= 1 and line + height <= all and text_of(comment, line, line + height) == comment.quote then
        return line
      end
    end
  end
  return math.min(comment.first, all)
end

---Shows the comments on the proposed side again, whose whole text has been replaced.
---@param proposal ide-companion.Proposal
function M.replace(proposal)
  local mine = vim.tbl_filter(function(comment)
    return comment.buffer == proposal.proposed
  end, proposal.comments)
  for _, comment in ipairs(mine) do
    local first = find_quote(comment)
    local last = math.min(first + comment.last - comment.first, api.nvim_buf_line_count(comment.buffer))
    place(proposal, comment, first, last)
  end
  if #mine > 0 then
    changed(proposal)
  end
end

---@param proposal ide-companion.Proposal
---@return boolean whether there is something to send; if not, it says how to write it
function M.expect(proposal)
  if #proposal.comments == 0 then
    say.info("Comment on a line first: :IdeCompanion comment")
  end
  return #proposal.comments > 0
end

return M
