-- What the user writes about lines of a proposal. The companion stores it, and says on which lines it is as the text
-- changes. It goes to the agent with the decision.
local M = {}

local draft = require("ide-companion.draft")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-comments")

---@class ide-companion.Comment
---@field id string
---@field side "proposed"|"original"
---@field startLine integer 1-based; 0 for one on all of the change
---@field endLine integer
---@field text string
---@field across integer the line of the other side that is next to its last one; 0 above the first one

local sign = "▎"

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

---@param line integer 0 above the first one
local function draw_below(buffer, line, rows)
  local row = math.max(0, math.min(line, api.nvim_buf_line_count(buffer)) - 1)
  local virtual = vim.tbl_map(function(text)
    return { { text, "DiagnosticInfo" } }
  end, rows)
  api.nvim_buf_set_extmark(buffer, space, row, 0, { virt_lines = virtual, virt_lines_above = line == 0 })
end

---Signs at its lines.
local function draw_signs(buffer, comment)
  local last = api.nvim_buf_line_count(buffer)
  if comment.startLine == 0 or comment.startLine > last then
    return
  end
  local mark = { end_row = math.min(comment.endLine, last) - 1, sign_text = sign, sign_hl_group = "DiagnosticInfo" }
  api.nvim_buf_set_extmark(buffer, space, comment.startLine - 1, 0, mark)
end

---Draws the comments below their lines, with as many empty rows in the other side: what belongs together stays side by
---side.
---@param proposal ide-companion.Proposal
function M.draw(proposal)
  for _, buffer in ipairs({ proposal.proposed, proposal.base }) do
    api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  end
  local function sides_of(comment)
    local is_proposed = comment.side == "proposed"
    return is_proposed and proposal.proposed or proposal.base, is_proposed and proposal.base or proposal.proposed
  end
  -- First: a sign between two texts would change their order on one of the sides.
  for _, comment in ipairs(proposal.comments) do
    draw_signs((sides_of(comment)), comment)
  end
  for _, comment in ipairs(proposal.comments) do
    local buffer, other = sides_of(comment)
    local window = vim.fn.win_findbuf(buffer)[1]
    local rows = window and rows_of(comment.text, window) or {}
    local last, across = comment.endLine, comment.across
    if last == 0 then
      last, across = 1, 1 -- what is above the first line is out of sight
    end
    draw_below(buffer, last, rows)
    if #vim.fn.win_findbuf(other) > 0 then
      local empty = vim.tbl_map(function()
        return ""
      end, rows)
      draw_below(other, across, empty)
    end
  end
end

---`companion/comments`: all comments on a proposal, where they are now.
---@param params { id: string, comments: ide-companion.Comment[] }
function M.take(params)
  local proposal = require("ide-companion.proposal").find(params.id)
  if proposal then
    proposal.comments = params.comments
    M.draw(proposal)
    vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
  end
end

---@return ide-companion.Comment|nil that is on a line, or on exactly these lines
local function at(proposal, side, first, last)
  for _, comment in ipairs(proposal.comments) do
    local from, to = comment.startLine, comment.endLine
    local is_on = first == last and from <= first and first <= to or from == first and to == last
    if comment.side == side and is_on then
      return comment
    end
  end
end

---Has the companion store a comment.
---@param params table of `companion/comment`
local function write(proposal, params)
  local function on_answer(result)
    if not result or result == vim.NIL then
      if params.text == "" then
        return
      end
      local copied = require("ide-companion.text").copy(params.text)
      return say.warn(("The proposal has closed. Your comment is %s"):format(copied))
    end
    M.take({ id = proposal.id, comments = result.comments })
  end
  if proposal.ended or not api.nvim_buf_is_valid(proposal.proposed) then
    return on_answer()
  end
  draft.flush(proposal)
  rpc.request("companion/comment", params, on_answer)
end

---Asks for a comment on lines of the side that the user is in. On a line that has one it changes that; an empty text
---deletes it.
---@param proposal ide-companion.Proposal
---@param first integer 1-based
---@param last integer
function M.ask(proposal, first, last)
  local side = ({ [proposal.proposed] = "proposed", [proposal.base] = "original" })[api.nvim_get_current_buf()]
  if not side then
    return say.info("Go to a line of the proposal first: :IdeCompanion diff")
  end
  draft.wait(proposal)
  local known = at(proposal, side, first, last)
  if known then
    first, last = known.startLine, known.endLine
  end
  local where = first == last and ("line %d"):format(first) or ("lines %d-%d"):format(first, last)
  local options = { prompt = ("Comment on %s: "):format(where), default = known and known.text or "" }
  vim.ui.input(options, function(answer)
    local text = vim.trim(answer or "")
    if answer and (known or text ~= "") then
      local params = { id = proposal.id, comment = known and known.id, side = side, text = text }
      write(proposal, vim.tbl_extend("error", params, { startLine = first, endLine = last }))
    end
  end)
end

return M
