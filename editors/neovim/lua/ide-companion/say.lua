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

---After more than one line Neovim waits for a key, and so it does after a second message without a redraw.
---@param command "echo"|"echomsg"
local function echo(command, text, level)
  vim.cmd.redraw()
  vim.cmd(("echohl %s | %s %s | echohl None"):format(groups[level], command, vim.fn.string(text)))
end

---Shows a text that is too long for one line without its middle. `:messages` has all of it.
local function show_long(text, level)
  local room, rest = vim.v.echospace, text
  while rest ~= "" do
    local line = vim.fn.printf("%." .. room .. "S", rest)
    echo("echomsg", line, level)
    rest = rest:sub(#line + 1)
  end
  local last = vim.fn.strcharpart(text, vim.fn.strchars(text) - math.floor(room / 3))
  local first = vim.fn.printf("%." .. (room - 1 - vim.fn.strdisplaywidth(last)) .. "S", text)
  echo("echo", first .. "…" .. last, level)
end

local function show(message, level)
  local text = message:gsub("%s*\n%s*", " ")
  if is_on_command_line() and vim.fn.strdisplaywidth(text) > vim.v.echospace then
    return show_long(text, level)
  end
  vim.cmd.redraw()
  vim.notify(text, level, { title = "ide-companion" })
end

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
