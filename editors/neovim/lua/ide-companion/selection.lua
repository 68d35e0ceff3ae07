-- Cursor and selection as agents count them: from 1, in UTF-16 code units.
local M = {}

-- No agent reads more.
M.limit = 16384
local lines_at_once = 50

---UTF-16 code units of valid UTF-8: one a character, two beyond the basic plane.
---@param text string
---@return integer
function M.utf16_length(text)
  if not text:find("[\128-\255]") then
    return #text
  end
  local _, characters = text:gsub("[^\128-\191]", "")
  local _, pairs_ = text:gsub("[\240-\247]", "")
  return characters + pairs_
end

---The byte after the character that begins at a byte, both 1-based; the end of the text when there is none.
local function after_character(text, byte)
  local first = text:byte(byte)
  if not first then
    return #text + 1
  end
  local length = first < 0x80 and 1 or first < 0xE0 and 2 or first < 0xF0 and 3 or 4
  -- Combining characters are in the same cell.
  local next_byte = byte + length
  local width = vim.fn.strdisplaywidth(text:sub(byte, next_byte - 1))
  while next_byte <= #text and text:byte(next_byte) >= 0x80 do
    local mark = text:byte(next_byte)
    local mark_end = next_byte + (mark < 0xE0 and 2 or mark < 0xF0 and 3 or 4)
    if vim.fn.strdisplaywidth(text:sub(byte, mark_end - 1)) > width then
      break
    end
    next_byte = mark_end
  end
  return next_byte
end

---The part of a line between two screen cells, both included; 0-based.
---@param line string
---@param left integer
---@param right integer
---@return string
function M.cells(line, left, right)
  if not line:find("[^\32-\126]") then
    return line:sub(left + 1, math.min(right, #line) + 1) -- one cell a byte
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
  return from and line:sub(from, byte - 1) or ""
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

local function charwise(buffer, from, to)
  local lines = lines_between(buffer, from[1], to[1])
  local is_whole = #lines == to[1] - from[1] + 1
  if is_whole then
    local last = lines[#lines]
    local ends_before = vim.o.selection == "exclusive" and to[2] or after_character(last, to[2])
    local takes_break = vim.o.selection ~= "exclusive" and to[2] > #last
    lines[#lines] = last:sub(1, ends_before - 1)
    if takes_break then
      lines[#lines + 1] = ""
    end
  end
  lines[1] = lines[1]:sub(from[2])
  return table.concat(lines, "\n")
end

---First and last cell of a corner of a block; with 'virtualedit' it may be beyond the text.
local function corner(buffer, position)
  local line = vim.api.nvim_buf_get_lines(buffer, position[1] - 1, position[1], false)[1] or ""
  local first, last = cells_at(line, position[2])
  return first + position[3], last + position[3]
end

local function blockwise(buffer, from, to, to_end)
  local left, left_end = corner(buffer, from)
  local right, right_end = corner(buffer, to)
  local first, last = math.min(left, right), math.max(left_end, right_end)
  if vim.o.selection == "exclusive" then
    last = math.max(left, right) - 1
  end
  local parts = {}
  for _, line in ipairs(lines_between(buffer, from[1], to[1])) do
    parts[#parts + 1] = M.cells(line, first, to_end and math.huge or last)
  end
  return table.concat(parts, "\n")
end

---The text selected in the current window; nil when nothing is.
---@param mode string as `nvim_get_mode` has it
---@return string|nil
function M.text(mode)
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
    return table.concat(lines_between(0, from[1], to[1]), "\n") .. "\n"
  elseif kind == "v" then
    return charwise(0, from, to)
  end
  local to_end = vim.fn.winsaveview().curswant == vim.v.maxcol
  return blockwise(0, from, to, to_end)
end

---The cursor of the current window.
---@return { line: integer, character: integer }
function M.cursor()
  local position = vim.api.nvim_win_get_cursor(0)
  local before = vim.api.nvim_get_current_line():sub(1, position[2])
  return { line = position[1], character = M.utf16_length(before) + 1 }
end

return M
