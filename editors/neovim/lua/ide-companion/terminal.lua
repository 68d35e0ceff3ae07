-- Agents in a terminal of this editor.
local M = {}

local config = require("ide-companion.config")
local say = require("ide-companion.say")
local status = require("ide-companion.status")

-- The terminal that was opened last for an agent: where a range is sent to.
local latest

local function open(command)
  vim.cmd(config.options.terminal.position)
  vim.cmd.enew()
  local buffer = vim.api.nvim_get_current_buf()
  local options = { env = status.get().env }
  local job
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    job = vim.fn.jobstart(command, options)
  else
    job = vim.fn.termopen(command, options)
  end
  latest = { buffer = buffer, job = job, folder = vim.fn.getcwd() }
  vim.cmd.startinsert()
end

---Waits until terminals can be given the variables. When the server cannot be started, that has been told.
local function when_ready(action)
  local server = require("ide-companion.server")
  server.start()
  if status.get().port or not server.running() then
    return status.get().port and action()
  end
  vim.api.nvim_create_autocmd("User", {
    pattern = "IdeCompanionStatus",
    callback = function()
      if status.get().port then
        vim.schedule(action)
      end
      return status.get().port ~= nil or not server.running() -- then the autocommand goes
    end,
  })
end

---Starts an agent in a split.
---@param agent string as `ide-companion run` has it
---@param arguments string[]
function M.run(agent, arguments)
  when_ready(function()
    -- The same program as the server, with another word.
    local command = vim.list_slice(config.options.cmd, 1, #config.options.cmd - 1)
    vim.list_extend(command, { "run", agent, "--" })
    open(vim.list_extend(command, arguments))
  end)
end

---How agents take a file and its lines: `@path#L3-L9`, from the folder of the terminal.
---@return string
function M.reference(path, folder, first, last)
  local inside = path:sub(1, #folder + 1) == folder .. "/"
  local name = (inside and path:sub(#folder + 2) or path):gsub("[ \t\\]", "\\%0")
  local lines = first == last and ("#L%d"):format(first) or ("#L%d-L%d"):format(first, last)
  return "@" .. name .. lines
end

---Types a reference to lines of the current file into the agent's prompt.
function M.send(first, last)
  local path = vim.api.nvim_buf_get_name(0)
  if path == "" or vim.bo.buftype ~= "" then
    return say.info("There is no file in this window whose lines could be sent.")
  elseif not latest or not vim.api.nvim_buf_is_valid(latest.buffer) then
    return say.info("No agent runs in a terminal here. Start one by :IdeCompanion run")
  end
  local reference = M.reference(path, latest.folder, first, last)
  if not pcall(vim.fn.chansend, latest.job, reference .. " ") then
    say.info("The agent in the terminal has ended. Start one by :IdeCompanion run")
  end
end

return M
