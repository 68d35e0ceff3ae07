-- Pauses sharing by the same command as in a shell, which applies to every companion of the project.
local M = {}

local config = require("ide-companion.config")
local log = require("ide-companion.log")
local roots = require("ide-companion.roots")
local say = require("ide-companion.say")

local done = {
  pause = "Paused: agents receive no context. :IdeCompanion resume",
  resume = "Resumed: agents receive your context again.",
}

---@param word "pause"|"resume"
function M.switch(word)
  local folder = roots.current()[1]
  local command = vim.list_slice(config.options.cmd, 1, #config.options.cmd - 1)
  local printed = {}
  local function collect(_, lines)
    vim.list_extend(printed, lines)
  end
  local ok, failure = pcall(vim.fn.jobstart, vim.list_extend(command, { word }), {
    cwd = folder,
    on_stdout = collect,
    on_stderr = collect,
    on_exit = function(_, code)
      local text = vim.trim(table.concat(printed, "\n"))
      log.add(text)
      if code == 0 then
        say.info(done[word])
      else
        say.error(text)
      end
    end,
  })
  if not ok then
    say.error(tostring(failure))
  end
end

return M
