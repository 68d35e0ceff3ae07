-- The log that `:IdeCompanion log` shows; it holds no text of a file and no token.
local M = {}

local limit = 500
local lines = {}

---@param text string
function M.add(text)
  for _, line in ipairs(vim.split(text, "\n")) do
    lines[#lines + 1] = os.date("%H:%M:%S ") .. line
  end
  while #lines > limit do
    table.remove(lines, 1)
  end
end

---Shows the log in a new window, which `q` closes.
function M.show()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, #lines > 0 and lines or { "Nothing has happened yet." })
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = "wipe"
  vim.keymap.set("n", "q", "<C-w>c", { buffer = buffer, desc = "Close the log" })
  vim.cmd("botright split")
  vim.api.nvim_win_set_buf(0, buffer)
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), 0 })
end

return M
