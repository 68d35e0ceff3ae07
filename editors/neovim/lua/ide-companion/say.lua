-- Messages to the user.
local M = {}

local levels = vim.log.levels
local log = require("ide-companion.log")
local windows = require("ide-companion.windows")

local groups = { [levels.INFO] = "None", [levels.WARN] = "WarningMsg", [levels.ERROR] = "ErrorMsg" }

---Whether messages go to the command line, and not to a notifier of the user's.
local function is_on_command_line()
  return debug.getinfo(vim.notify, "S").source:find("@vim/_", 1, true) == 1
end

---After more than one line Neovim waits for a key, and so it does after a second message without a redraw, or one of a
---command that is still being run. A message that is too long for one line has no middle there; `:messages` has all.
local show = vim.schedule_wrap(function(message, level)
  local text = message:gsub("%s*\n%s*", " ")
  vim.cmd.redraw()
  if not is_on_command_line() then
    return vim.notify(text, level, { title = "ide-companion" })
  end
  local before = vim.o.shortmess
  vim.opt.shortmess:append("T")
  vim.cmd(("echohl %s | echomsg %s | echohl None"):format(groups[level], vim.fn.string(text)))
  vim.o.shortmess = before
end)

---While the user types, the mode would hide a message.
local function is_seen()
  return not vim.api.nvim_get_mode().mode:find("^[iRvVsSc\22\19]")
end

---@param is_current nil|fun(): boolean whether the message is still relevant when the user has stopped typing
local function notify(message, level, is_current)
  log.add(message)
  windows.when(is_seen, function()
    if not is_current or is_current() then
      show(message, level)
    end
  end)
end

function M.info(message, is_current)
  notify(message, levels.INFO, is_current)
end

function M.warn(message)
  notify(message, levels.WARN)
end

function M.error(message)
  notify(message, levels.ERROR)
end

return M
