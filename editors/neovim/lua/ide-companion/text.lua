-- Texts in buffers and registers, byte by byte: with line ends, a byte order mark and a missing last newline.
local M = {}

local log = require("ide-companion.log")

local mark = "\239\187\191"

---Whether every line has a DOS line end. Mixed line ends stay in the text.
local function is_dos(text)
  return text:find("\r\n", 1, true) ~= nil and not text:find("[^\r]\n") and text:sub(1, 1) ~= "\n"
end

---@class ide-companion.Lines
---@field lines string[]
---@field marked boolean whether a byte order mark precedes them
---@field dos boolean
---@field eol boolean whether the last line has an end

---@param text string
---@return ide-companion.Lines
local function parse(text)
  local marked = vim.startswith(text, mark)
  text = marked and text:sub(#mark + 1) or text
  local dos = is_dos(text)
  local eol = text:sub(-1) == "\n"
  local body = dos and text:gsub("\r\n", "\n") or text
  if eol then
    body = body:sub(1, -2)
  end
  local lines = text == "" and {} or vim.split(body, "\n", { plain = true })
  return { lines = lines, marked = marked, dos = dos, eol = eol or text == "" }
end

---@param parsed ide-companion.Lines
local function set_format(buffer, parsed)
  vim.bo[buffer].bomb = parsed.marked
  vim.bo[buffer].fileformat = parsed.dos and "dos" or "unix"
  vim.bo[buffer].endofline = parsed.eol
  vim.bo[buffer].fixendofline = false
end

---Fills a buffer as if the text had been read from a file.
---@param buffer integer
---@param text string
function M.put(buffer, text)
  local parsed = parse(text)
  local levels = vim.bo[buffer].undolevels
  vim.bo[buffer].modifiable = true -- it is off for all in `nvim -M`
  vim.bo[buffer].undolevels = -1 -- an undo must not empty it
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, parsed.lines)
  vim.bo[buffer].undolevels = levels
  set_format(buffer, parsed)
  vim.bo[buffer].modified = false
end

---Replaces the text of a file's buffer, as one change that can be undone.
---@param buffer integer
---@param text string
function M.replace(buffer, text)
  local parsed = parse(text)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, parsed.lines)
  set_format(buffer, parsed)
end

---Gives a buffer another text by changing the lines that differ, so that cursor, marks and undo stay.
---@param buffer integer
---@param text string
---@param edits ide-companion.Hunk[] which lines
function M.change(buffer, text, edits)
  local parsed, modifiable = parse(text), vim.bo[buffer].modifiable
  vim.bo[buffer].modifiable = true
  for index = #edits, 1, -1 do
    local edit = edits[index]
    local lines = vim.list_slice(parsed.lines, edit.line, edit.line + edit.added - 1)
    vim.api.nvim_buf_set_lines(buffer, edit.from - 1, edit.from - 1 + edit.removed, false, lines)
  end
  -- A buffer without a text had a line.
  vim.api.nvim_buf_set_lines(buffer, #parsed.lines, -1, false, {})
  set_format(buffer, parsed)
  vim.bo[buffer].modifiable = modifiable
end

---A name that no buffer has. Tabs and status lines show it unchanged.
---@param whose string
---@param what string
function M.free_name(whose, what)
  whose = whose:gsub("[/\\%c]", "-")
  local name, number = whose .. what, 1
  while vim.fn.bufexists(name) == 1 do
    number = number + 1
    name = ("%s (%d)%s"):format(whose, number, what)
  end
  return name
end

---@param path string
---@return integer the buffer of this file, also when its name leads there through a link; -1 when there is none
function M.buffer_of(path)
  return vim.fn.bufexists(path) == 1 and vim.fn.bufadd(path) or -1
end

---A buffer with a text that is no file.
---@param whose string
---@param label string of the file that the text is for
---@param content string
---@return integer
function M.new_buffer(whose, label, content)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = "hide"
  local file = vim.fs.basename(label):gsub("%c", "?")
  vim.api.nvim_buf_set_name(buffer, M.free_name(whose, ": " .. file))
  M.put(buffer, content)
  vim.b[buffer].ide_companion_text = true
  return buffer
end

---Sets the filetype of a buffer that the user is not in. A fault in an autocommand shows no message, which might wait
---for a key; it is logged.
---@param buffer integer
---@param filetype string
function M.set_filetype(buffer, filetype)
  vim.v.errmsg = ""
  local ok, thrown = pcall(vim.api.nvim_buf_call, buffer, function()
    vim.cmd.setlocal({ "filetype=" .. filetype, mods = { emsg_silent = true, silent = true } })
  end)
  local fault = ok and vim.v.errmsg or thrown
  if fault ~= "" then
    log.add(("filetype %s: %s"):format(filetype, fault:match("[^\n]*")))
  end
end

---Deletes a buffer if it is there, also when an autocommand of the user fails.
---@param buffer integer
function M.delete_buffer(buffer)
  pcall(vim.api.nvim_buf_delete, buffer, { force = true })
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.cmd("silent! noautocmd bwipeout! " .. buffer)
  end
end

---The text of a buffer as it would be written to a file.
---@param buffer integer
---@return string
function M.get(buffer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  local start = vim.bo[buffer].bomb and mark or ""
  if #lines == 1 and lines[1] == "" then
    local bytes = vim.api.nvim_buf_call(buffer, function()
      return vim.fn.wordcount().bytes
    end)
    if bytes == 0 then
      return start -- no line, which differs from one empty line
    end
  end
  local line_end = vim.bo[buffer].fileformat == "dos" and "\r\n" or "\n"
  return start .. table.concat(lines, line_end) .. (vim.bo[buffer].endofline and line_end or "")
end

---Copies a text, to the clipboard if there is one.
---@param text string
---@return string where it is, for a sentence
function M.copy(text)
  vim.fn.setreg('"', text)
  if vim.fn.has("clipboard") == 0 then
    return 'in register "'
  end
  vim.fn.setreg("+", text)
  return "on the clipboard"
end

---@param sentence string of the companion
---@param answer table that it is in; what comes to be copied is copied
---@return string
function M.sentence(sentence, answer)
  local place = answer.copy and M.copy(answer.copy)
  return place and (sentence:gsub("{place}", place)) or sentence
end

return M
