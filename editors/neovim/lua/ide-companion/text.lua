-- Texts in buffers, byte by byte: line ends, a byte order mark and a missing last newline are part of them.
local M = {}

---Every line of it ends as in DOS. What is mixed stays as it is, carriage returns and all.
local function is_dos(text)
  return text:find("\r\n", 1, true) ~= nil and not text:find("[^\r]\n") and text:sub(1, 1) ~= "\n"
end

---Fills a buffer as if the text had been read from a file.
---@param buffer integer
---@param text string
function M.put(buffer, text)
  local dos = is_dos(text)
  local eol = text:sub(-1) == "\n"
  local body = dos and text:gsub("\r\n", "\n") or text
  if eol then
    body = body:sub(1, -2)
  end
  local lines = text == "" and {} or vim.split(body, "\n", { plain = true })
  local levels = vim.bo[buffer].undolevels
  vim.bo[buffer].undolevels = -1 -- an undo must not empty it
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, lines)
  vim.bo[buffer].undolevels = levels
  vim.bo[buffer].fileformat = dos and "dos" or "unix"
  vim.bo[buffer].endofline = eol or text == ""
  vim.bo[buffer].fixendofline = false
  vim.bo[buffer].modified = false
end

---The text of a buffer as it would be written to a file.
---@param buffer integer
---@return string
function M.get(buffer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  if #lines == 1 and lines[1] == "" then
    local bytes = vim.api.nvim_buf_call(buffer, function()
      return vim.fn.wordcount().bytes
    end)
    if bytes == 0 then
      return "" -- no line at all, which is not the same as one that is empty
    end
  end
  local line_end = vim.bo[buffer].fileformat == "dos" and "\r\n" or "\n"
  return table.concat(lines, line_end) .. (vim.bo[buffer].endofline and line_end or "")
end

return M
