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
  local shown = #lines > 0 and lines or { "Nothing has happened yet." }
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, shown)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = "wipe"
  vim.keymap.set("n", "q", "<C-w>c", { buffer = buffer, desc = "Close this window" })
  vim.cmd("botright split")
  vim.api.nvim_win_set_buf(0, buffer)
  vim.api.nvim_win_set_cursor(0, { #shown, 0 })
end

return M
