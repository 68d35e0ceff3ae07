-- Agents in terminals of this editor. A terminal is named by its agent: `gemini`, and `gemini:2` for a second one.
local M = {}

local agent_window = require("ide-companion.agent_window")
local config = require("ide-companion.config")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local status = require("ide-companion.status")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api

---@class ide-companion.Terminal
---@field buffer integer
---@field job integer
---@field folder string

---@type table<string, ide-companion.Terminal> by name
local terminals = {}
-- The one that was shown last. It receives what the user sends.
---@type string|nil
local latest

---@return ide-companion.Terminal|nil unless its buffer is gone
local function terminal_of(name)
  local terminal = terminals[name]
  return terminal and api.nvim_buf_is_valid(terminal.buffer) and terminal or nil
end

---@return ide-companion.Terminal|nil unless it has ended
local function running(name)
  local terminal = name and terminal_of(name)
  return terminal and vim.fn.jobwait({ terminal.job }, 0)[1] == -1 and terminal or nil
end

---@return integer|nil its window in the current tab
local function window_of(terminal)
  local window = vim.fn.bufwinid(terminal.buffer)
  return window > 0 and window or nil
end

---@return string agent
---@return string|nil number of a second terminal
local function parse(name)
  return name:match("^[^:]*"), name:match(":(.*)")
end

---@return table|nil what the server says of the agent
local function known(name)
  for _, agent in ipairs(require("ide-companion.server").agents()) do
    if agent.name == parse(name) then
      return agent
    end
  end
end

---The name that people read.
local function display_name(name)
  local agent, number = parse(name)
  local display = (known(name) or { displayName = agent }).displayName
  return number and ("%s %s"):format(display, number) or display
end

---@return integer|nil the window of the agent that was opened last in this tab
local function neighbour()
  local latest_window, latest_buffer
  for _, terminal in pairs(terminals) do
    local window = window_of(terminal)
    if window and terminal.buffer > (latest_buffer or 0) then
      latest_window, latest_buffer = window, terminal.buffer
    end
  end
  return latest_window
end

local function open_window(name)
  agent_window.open(display_name(name), neighbour())
end

---Replaces the buffer name `term://` and a command.
local function rename(buffer, name)
  local before = api.nvim_buf_get_name(buffer)
  api.nvim_buf_set_name(buffer, text.free_name(name, ""))
  local left = text.buffer_of(before)
  if left > 0 and left ~= buffer then
    api.nvim_buf_delete(left, { force = true })
  end
end

---Starts a command in the current window.
local function start(name, command)
  vim.cmd.enew()
  local open = vim.fn.has("nvim-0.11") == 1 and vim.fn.jobstart or vim.fn.termopen
  local job = open(command, { env = status.get().env, term = true })
  local terminal = { buffer = api.nvim_get_current_buf(), folder = vim.fn.getcwd(), job = job }
  vim.bo[terminal.buffer].buflisted = false
  vim.bo[terminal.buffer].bufhidden = "hide"
  require("ide-companion.screens").follow(terminal.buffer)
  terminals[name] = terminal
end

---Waits for the server, which answers once the agents and the variables for terminals are known. When it cannot be
---started, a message has said so.
local function when_ready(action)
  local server = require("ide-companion.server")
  server.start()
  if server.running() then
    rpc.ask("companion/review", vim.empty_dict(), action)
  end
end

---The program of the server, with another command; in tmux if the user wants it.
local function command_of(name, arguments)
  local command = vim.list_slice(config.options.cmd, 1, #config.options.cmd - 1)
  vim.list_extend(command, config.options.terminal.tmux and { "run", "--tmux", name } or { "run" })
  vim.list_extend(command, { (parse(name)), "--" })
  return vim.list_extend(command, arguments)
end

local function launch(name, arguments)
  local ended = terminal_of(name)
  local window = ended and window_of(ended)
  if window then
    api.nvim_set_current_win(window)
  else
    open_window(name)
  end
  start(name, command_of(name, arguments))
  if ended then
    api.nvim_buf_delete(ended.buffer, { force = true })
  end
  rename(terminals[name].buffer, display_name(name))
  latest = name
  vim.cmd.startinsert()
end

local function go_to(name, terminal)
  local window = window_of(terminal)
  if window then
    api.nvim_set_current_win(window)
  else
    open_window(name)
    api.nvim_win_set_buf(0, terminal.buffer)
  end
  latest = name
  vim.cmd.startinsert()
end

---Calls back with the name of a terminal: the given one, the one that was shown last, or what the user chooses.
---@param name string|nil
---@param action fun(name: string)
local function with_name(name, action)
  if name or running(latest) then
    return action(name or latest)
  end
  when_ready(function()
    vim.ui.select(require("ide-companion.server").agents(), {
      prompt = "Agent",
      format_item = function(agent)
        return agent.displayName
      end,
    }, function(choice)
      if choice then
        action(choice.name)
      end
    end)
  end)
end

---Starts an agent with arguments unless it runs; of one that runs, the action gets the name and the terminal.
---@param name string|nil
---@param arguments string[]
local function start_or(name, arguments, action)
  with_name(name, function(chosen)
    local terminal = running(chosen)
    if terminal then
      return action(chosen, terminal)
    end
    when_ready(function()
      launch(chosen, arguments)
    end)
  end)
end

---Starts an agent, goes to its terminal, or hides it when the user is in it.
---@param name string|nil a name that `ide-companion run` accepts; with `:2` another terminal of the same agent
---@param arguments string[]|nil
function M.run(name, arguments)
  arguments = arguments or {}
  start_or(name, arguments, function(chosen, terminal)
    if #arguments > 0 then
      say.warn(("%s runs already: end it to start it with arguments"):format(display_name(chosen)))
    end
    if window_of(terminal) == api.nvim_get_current_win() then
      return windows.close(api.nvim_get_current_win(), terminal.buffer)
    end
    go_to(chosen, terminal)
  end)
end

---Starts an agent with its last session of this folder.
---@param name string|nil
function M.continue(name)
  with_name(name, function(chosen)
    when_ready(function()
      local agent = known(chosen)
      if not agent or not agent.resumeArguments then
        return say.warn(("%s has no last session that it could go on with"):format(display_name(chosen)))
      end
      M.run(chosen, running(chosen) and {} or agent.resumeArguments)
    end)
  end)
end

---Hides the terminal of an agent if this tab shows it, and shows it otherwise.
---@param name string|nil
function M.toggle(name)
  start_or(name, {}, function(chosen, terminal)
    local window = window_of(terminal)
    if window then
      return windows.close(window, terminal.buffer)
    end
    go_to(chosen, terminal)
  end)
end

---Goes to the terminal of an agent; from there, back to the window before, and the terminal stays.
---@param name string|nil
function M.focus(name)
  start_or(name, {}, function(chosen, terminal)
    if window_of(terminal) == api.nvim_get_current_win() then
      return vim.cmd.wincmd("p")
    end
    go_to(chosen, terminal)
  end)
end

---The terminal that was shown last, if its agent runs.
---@return ide-companion.Terminal|nil
---@return string|nil the agent's name for people
function M.latest()
  local terminal = running(latest)
  return terminal, terminal and display_name(latest)
end

return M
