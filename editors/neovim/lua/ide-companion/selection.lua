-- Cursor and selection as agents count them: from 1, in UTF-16 code units.
local M = {}

-- No agent reads more.
M.limit = 16384
local lines_at_once = 50

---@param text string
---@return integer
function M.utf16_length(text)
  return (select(2, vim.str_utfindex(text)))
end

---The byte after the character that begins at a byte, both 1-based, and after what is combined with it; the end of the
---text when there is none.
local function after_character(text, byte)
  return math.min(byte, #text + 1) + #vim.fn.strcharpart(text:sub(byte, byte + 63), 0, 1, true)
end

---The bytes of a line between two screen cells, both included; 0-based.
---@param line string
---@param left integer
---@param right integer
---@return integer first byte, 1-based; the one after the line when the line ends before
---@return integer last byte
local function cells(line, left, right)
  if not line:find("[^\32-\126]") then
    return math.min(left, #line) + 1, math.min(right + 1, #line) -- one cell a byte
  end
  local cell, byte, from = 0, 1, nil
  while byte <= #line and cell <= right do
    local next_byte = after_character(line, byte)
    local width = vim.fn.strdisplaywidth(line:sub(byte, next_byte - 1), cell)
    if cell + width > left and not from then
      from = byte
    end
    cell, byte = cell + width, next_byte
  end
  return from or #line + 1, from and byte - 1 or #line
end

---First and last cell of the character at a byte, 0-based.
local function cells_at(line, byte)
  local first = vim.fn.strdisplaywidth(line:sub(1, byte - 1))
  local last = vim.fn.strdisplaywidth(line:sub(1, after_character(line, byte) - 1))
  return first, math.max(first, last - 1)
end

---Enough of the lines to fill the limit.
local function lines_between(buffer, first, last)
  local lines, size, next_line = {}, 0, first
  -- A UTF-16 unit takes three bytes at most.
  while next_line <= last and size <= 3 * M.limit do
    local line_after = math.min(next_line + lines_at_once, last + 1)
    for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, next_line - 1, line_after - 1, false)) do
      lines[#lines + 1] = line
      size = size + #line + 1
    end
    next_line = line_after
  end
  return lines
end

---@param number integer 1-based
---@return string
local function line_at(number)
  return vim.api.nvim_buf_get_lines(0, number - 1, number, false)[1] or ""
end

---@class ide-companion.Position
---@field line integer 1-based
---@field character integer 1-based, in UTF-16 code units

---The position of a byte, 1-based.
---@return ide-companion.Position
local function position_at(number, byte)
  return { line = number, character = M.utf16_length(line_at(number):sub(1, byte - 1)) + 1 }
end

---The position after the break of a line, and that break. The last line may have none.
---@return ide-companion.Position
---@return string
local function after_line(number)
  if number == vim.api.nvim_buf_line_count(0) and not vim.bo.endofline then
    return position_at(number, #line_at(number) + 1), ""
  end
  return { line = number + 1, character = 1 }, "\n"
end

local function linewise(from, to)
  local behind, line_break = after_line(to[1])
  local text = table.concat(lines_between(0, from[1], to[1]), "\n") .. line_break
  return text, { line = from[1], character = 1 }, behind
end

local function charwise(from, to)
  local lines = lines_between(0, from[1], to[1])
  local last = line_at(to[1])
  local byte = vim.o.selection == "exclusive" and to[2] or after_character(last, to[2])
  local behind, line_break = position_at(to[1], byte), ""
  if vim.o.selection ~= "exclusive" and to[2] > #last then
    behind, line_break = after_line(to[1])
  end
  if #lines == to[1] - from[1] + 1 then
    lines[#lines] = last:sub(1, byte - 1) .. line_break
  end
  lines[1] = lines[1]:sub(from[2])
  return table.concat(lines, "\n"), position_at(from[1], from[2]), behind
end

---First and last cell of a corner of a block; with 'virtualedit' it may be beyond the text.
local function corner(position)
  local first, last = cells_at(line_at(position[1]), position[2])
  return first + position[3], last + position[3]
end

---A block has no range: its corners in the text enclose it.
local function blockwise(from, to, to_end)
  local left, left_end = corner(from)
  local right, right_end = corner(to)
  local first, last = math.min(left, right), math.max(left_end, right_end)
  if vim.o.selection == "exclusive" then
    last = math.max(left, right) - 1
  end
  last = to_end and math.huge or last
  local parts = {}
  for _, line in ipairs(lines_between(0, from[1], to[1])) do
    parts[#parts + 1] = line:sub(cells(line, first, last))
  end
  local first_byte = cells(line_at(from[1]), first, last)
  local _, last_byte = cells(line_at(to[1]), first, last)
  return table.concat(parts, "\n"), position_at(from[1], first_byte), position_at(to[1], last_byte + 1)
end

---What is selected in the current window; nil when nothing is.
---@param mode string as `nvim_get_mode` has it
---@return string|nil
---@return ide-companion.Position|nil start
---@return ide-companion.Position|nil behind of the first character that is not selected any more
function M.selected(mode)
  local kind = ({ v = "v", s = "v", V = "V", S = "V", ["\22"] = "b", ["\19"] = "b" })[mode:sub(1, 1)]
  if not kind then
    return nil
  end
  local other, cursor = vim.fn.getpos("v"), vim.fn.getpos(".")
  local from, to = { other[2], other[3], other[4] }, { cursor[2], cursor[3], cursor[4] }
  if from[1] > to[1] or (from[1] == to[1] and from[2] > to[2]) then
    from, to = to, from
  end
  if kind == "V" then
    return linewise(from, to)
  elseif kind == "v" then
    return charwise(from, to)
  end
  return blockwise(from, to, vim.fn.winsaveview().curswant == vim.v.maxcol)
end

---The cursor of the current window.
---@return ide-companion.Position
function M.cursor()
  local position = vim.api.nvim_win_get_cursor(0)
  local before = vim.api.nvim_get_current_line():sub(1, position[2])
  return { line = position[1], character = M.utf16_length(before) + 1 }
end

return M
