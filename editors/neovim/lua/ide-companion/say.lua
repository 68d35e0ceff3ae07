-- What is told to the user.
local M = {}

local levels = vim.log.levels
local log = require("ide-companion.log")

---In one line: a longer message would stop the user for a key.
local function tell(message, level)
  log.add(message)
  local text = message:gsub("%s*\n%s*", " ")
  local room = math.max(40, vim.v.echospace)
  if vim.fn.strchars(text) > room then
    text = vim.fn.strcharpart(text, 0, room - 1) .. "…"
  end
  -- A second message at once would make the user press a key as well.
  vim.cmd.redraw()
  vim.notify(text, level, { title = "ide-companion" })
end

function M.info(message)
  tell(message, levels.INFO)
end

function M.warn(message)
  tell(message, levels.WARN)
end

function M.error(message)
  tell(message, levels.ERROR)
end

return M
