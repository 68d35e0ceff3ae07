-- What the user writes about lines of a proposal. It goes to the agent with the decision.
local M = {}

local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-comments")
local drawn = api.nvim_create_namespace("ide-companion-comment-texts")

---@class ide-companion.Comment
---@field id string
---@field text string
---@field buffer integer the side that it is on
---@field mark integer|nil an extmark, which follows its lines
---@field first integer its lines when they were looked at last: `:e!` removes the mark; 0 for one on all of the change
---@field last integer
---@field quote string these lines

local sign = "▎"

---@param comment ide-companion.Comment
---@return integer first, integer last 1-based lines as they stand
local function lines_of(comment)
  local found = comment.mark
    and api.nvim_buf_get_extmark_by_id(comment.buffer, space, comment.mark, { details = true })
  if found and found[1] then
    comment.first = found[1] + 1
    comment.last = math.max(found[1], found[3].end_row or found[1]) + 1
  end
  return comment.first, comment.last
end

---@return string
local function text_of(comment, first, last)
  return first == 0 and "" or table.concat(api.nvim_buf_get_lines(comment.buffer, first - 1, last, false), "\n")
end

---@return string[] a text, cut to the width of a window
local function rows_of(text, window)
  local info = vim.fn.getwininfo(window)[1]
  local rest, rows = sign .. " " .. text:gsub("%c", " "), {}
  while rest ~= "" do
    local part = vim.fn.printf("%." .. math.max(2, info.width - info.textoff) .. "S", rest)
    local words = #part < #rest and part:match("^(.*%S%s+)%S*$")
    rows[#rows + 1] = words or part
    rest = rest:sub(#rows[#rows] + 1)
  end
  return rows
end

---@return integer the line of the other side that is next to a line; 0 above the first one
local function opposite(proposal, buffer, line)
  local by = 0
  for _, hunk in ipairs(proposal.hunks) do
    local here, size, there, other_size = hunk.line, hunk.added, hunk.from, hunk.removed
    if buffer == proposal.base then
      here, size, there, other_size = there, other_size, here, size
    end
    if line < here then
      break
    elseif line < here + size then
      return there + math.min(line - here, other_size - 1)
    end
    by = there + other_size - here - size
  end
  return line + by
end

---@param line integer 0 above the first one
local function draw_below(buffer, line, rows)
  local row = math.max(0, math.min(line, api.nvim_buf_line_count(buffer)) - 1)
  local virtual = vim.tbl_map(function(text)
    return { { text, "DiagnosticInfo" } }
  end, rows)
  api.nvim_buf_set_extmark(buffer, drawn, row, 0, { virt_lines = virtual, virt_lines_above = line == 0 })
end

---Draws the comments below their lines, with as many empty rows in the other side: what belongs together stays side by
---side.
---@param proposal ide-companion.Proposal
function M.draw(proposal)
  local sides = { [proposal.proposed] = proposal.base, [proposal.base] = proposal.proposed }
  for buffer in pairs(sides) do
    api.nvim_buf_clear_namespace(buffer, drawn, 0, -1)
  end
  for _, comment in ipairs(proposal.comments) do
    local window, _, last = vim.fn.win_findbuf(comment.buffer)[1], lines_of(comment)
    local rows = window and rows_of(comment.text, window) or {}
    last = math.max(1, last) -- what is above the first line is out of sight
    draw_below(comment.buffer, last, rows)
    local other = sides[comment.buffer]
    if #vim.fn.win_findbuf(other) > 0 then
      local empty = vim.tbl_map(function()
        return ""
      end, rows)
      draw_below(other, opposite(proposal, comment.buffer, last), empty)
    end
  end
end

---@param first integer
---@param last integer
local function place(comment, first, last)
  comment.first, comment.last, comment.quote = first, last, text_of(comment, first, last)
  if first == 0 then
    return
  end
  local mark = { id = comment.mark, end_row = last - 1, sign_text = sign, sign_hl_group = "DiagnosticInfo" }
  comment.mark = api.nvim_buf_set_extmark(comment.buffer, space, first - 1, 0, mark)
end

---All comments on a proposal, as the companion takes them.
---@param proposal ide-companion.Proposal
---@return table[]
function M.list(proposal)
  return vim.tbl_map(function(comment)
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
end

local function show(proposal)
  M.draw(proposal)
  vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
end

---Shows them, and lets the companion save them.
local function changed(proposal)
  show(proposal)
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
  api.nvim_buf_del_extmark(comment.buffer, space, comment.mark or 0)
  proposal.comments = vim.tbl_filter(function(other)
    return other ~= comment
  end, proposal.comments)
end

local function add(proposal, buffer, first, last, text, id)
  proposal.comment_count = proposal.comment_count + 1
  local comment = { id = id or tostring(proposal.comment_count), text = text, buffer = buffer }
  place(comment, first, last)
  table.insert(proposal.comments, comment)
end

---`companion/updateComments`: what the user has written about it in another view.
function M.update(params)
  local proposal = require("ide-companion.proposal").find(params.id)
  if not proposal then
    return
  end
  local here = {}
  for _, comment in ipairs(proposal.comments) do
    here[comment.id] = comment
  end
  for _, id in ipairs(params.deleted) do
    if here[id] then
      remove(proposal, here[id])
    end
  end
  for _, one in ipairs(params.comments) do
    if here[one.id] then
      here[one.id].text = one.text
    else
      local buffer = one.side == "original" and proposal.base or proposal.proposed
      local height = api.nvim_buf_line_count(buffer)
      add(proposal, buffer, math.min(one.startLine, height), math.min(one.endLine, height), one.text, one.id)
    end
  end
  show(proposal)
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
      local copied = require("ide-companion.text").copy(answer)
      return say.warn(("The proposal has closed. Your comment is %s"):format(copied))
    end
    local text = vim.trim(answer)
    known = known and at(proposal, buffer, first, last) -- as another view may have it by now
    if known and text == "" then
      remove(proposal, known)
    elseif known then
      known.text = text
      place(known, lines_of(known))
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
    return comment.buffer == proposal.proposed and comment.first > 0
  end, proposal.comments)
  for _, comment in ipairs(mine) do
    local first = find_quote(comment)
    local last = math.min(first + comment.last - comment.first, api.nvim_buf_line_count(comment.buffer))
    place(comment, first, last)
  end
  if #mine > 0 then
    changed(proposal)
  end
end

return M
