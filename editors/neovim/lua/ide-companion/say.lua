-- Messages to the user.
local M = {}

local levels = vim.log.levels
local log = require("ide-companion.log")

-- Messages that came while the user was typing, when the mode would hide them. `{ show, is_current }`, oldest first.
local waiting = {}

---Shows one line: after a longer message Neovim waits for a key.
local function show(message, level)
  local text = message:gsub("%s*\n%s*", " ")
  local room = math.max(40, vim.v.echospace)
  if vim.fn.strdisplaywidth(text) > room then
    text = vim.fn.printf("%." .. (room - 1) .. "S…", text)
  end
  -- After a second message at once Neovim waits for a key as well.
  vim.cmd.redraw()
  vim.notify(text, level, { title = "ide-companion" })
end

local function is_typing()
  return vim.api.nvim_get_mode().mode:find("^[iRvVsSc\22\19]") ~= nil
end

local function show_waiting()
  local messages = waiting
  waiting = {}
  for _, message in ipairs(messages) do
    if message.is_current() then
      message.show()
    end
  end
end

local function always()
  return true
end

---@param is_current nil|fun(): boolean whether the message is still relevant when the user has stopped typing
local function notify(message, level, is_current)
  log.add(message)
  if not is_typing() then
    return show(message, level)
  end
  waiting[#waiting + 1] = {
    is_current = is_current or always,
    show = function()
      show(message, level)
    end,
  }
  if #waiting > 1 then
    return
  end
  vim.api.nvim_create_autocmd("ModeChanged", {
    callback = function()
      if not is_typing() then
        vim.schedule(show_waiting)
        return true -- removes the autocommand
      end
    end,
  })
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
