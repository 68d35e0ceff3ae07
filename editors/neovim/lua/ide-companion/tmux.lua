-- Agents in sessions of tmux, which keep them when Neovim ends.
local M = {}

local status = require("ide-companion.status")

---A command in a session that is made, or attached to if it is there. Tokens are no arguments, because everybody can
---read those: the command finds its companion by the rest.
---@param name string of the terminal
---@param command string[]
---@return string[]
function M.wrap(name, command)
  local folder = vim.fn.getcwd()
  local base = vim.fs.basename(folder):gsub("[^%w_-]", "_")
  local session = ("%s-%s-%s"):format(name:gsub("[^%w_-]", "_"), base, vim.fn.sha256(folder):sub(1, 6))
  local words = { "tmux", "new-session", "-A", "-s", session, "-c", folder }
  for variable, value in pairs(status.get().env) do
    vim.list_extend(words, { "-e", ("%s=%s"):format(variable, value:match("^%d+$") or "") })
  end
  for _, word in ipairs(command) do
    words[#words + 1] = word:gsub(";$", "\\;") -- tmux would end its command there
  end
  return vim.list_extend(words, { ";", "set-option", "-t", "=" .. session .. ":", "status", "off" })
end

return M
