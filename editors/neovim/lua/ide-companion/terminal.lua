-- Agents in terminals of this editor, one terminal per agent.
local M = {}

local config = require("ide-companion.config")
local say = require("ide-companion.say")
local status = require("ide-companion.status")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api

---@class ide-companion.Terminal
---@field buffer integer
---@field job integer
---@field folder string
---@field has_ended boolean

---@type table<string, ide-companion.Terminal> by agent
local terminals = {}
-- The agent that was shown last. It receives the ranges that the user sends.
local latest

---@return ide-companion.Terminal|nil unless its buffer is gone
local function terminal_of(agent)
  local terminal = terminals[agent]
  return terminal and api.nvim_buf_is_valid(terminal.buffer) and terminal or nil
end

---@return integer|nil its window in the current tab
local function window_of(terminal)
  for _, window in ipairs(api.nvim_tabpage_list_wins(0)) do
    if api.nvim_win_get_buf(window) == terminal.buffer then
      return window
    end
  end
end

---A size below 1 is a fraction of the screen.
local function to_cells(size, all)
  return math.floor(math.max(1, math.min(size < 1 and all * size or size, all - 2)))
end

-- Wide enough for the boxes of an agent, and at most half of a small screen.
local function usual_width(columns)
  return math.max(columns * 0.45, math.min(80, columns / 2))
end

---The name that people read.
local function display_name(agent)
  for _, known in ipairs(require("ide-companion.server").agents()) do
    if known.name == agent then
      return known.displayName
    end
  end
  return agent
end

local function open_float(agent, size)
  local columns, lines = vim.o.columns, vim.o.lines - vim.o.cmdheight
  local width, height = to_cells(size or 0.8, columns), to_cells(size or 0.8, lines)
  api.nvim_open_win(api.nvim_create_buf(false, true), true, {
    relative = "editor",
    width = width,
    height = height,
    col = math.floor((columns - width) / 2),
    row = math.floor((lines - height) / 2),
    border = "rounded",
    title = " " .. display_name(agent) .. " ",
  })
end

local function open_split(command, size)
  vim.cmd(command)
  if command:find("vsplit") then
    vim.wo.winfixwidth = true
    api.nvim_win_set_width(0, to_cells(size or usual_width(vim.o.columns), vim.o.columns))
  else
    vim.wo.winfixheight = true
    api.nvim_win_set_height(0, to_cells(size or 0.45, vim.o.lines))
  end
end

local splits = {
  right = "botright vsplit",
  left = "topleft vsplit",
  below = "botright split",
  above = "topleft split",
}

---Opens the window for an agent and makes it the current one.
local function open_window(agent)
  local options = config.options.terminal
  if options.position == "float" then
    return open_float(agent, options.size)
  elseif options.position == "tab" then
    return vim.cmd("tab split")
  end
  open_split(splits[options.position], options.size)
end

---Replaces the buffer name `term://` and a command.
local function rename(buffer, name)
  local before = api.nvim_buf_get_name(buffer)
  api.nvim_buf_set_name(buffer, text.free_name(name, ""))
  local left = vim.fn.bufnr("^" .. vim.fn.escape(before, "\\*?[]{},") .. "$")
  if left > 0 and left ~= buffer then
    api.nvim_buf_delete(left, { force = true })
  end
end

---Starts a command in the current window.
local function start(agent, command)
  vim.cmd.enew()
  local terminal = { buffer = api.nvim_get_current_buf(), folder = vim.fn.getcwd(), has_ended = false }
  local options = {
    env = status.get().env,
    on_exit = function()
      terminal.has_ended = true -- the output stays readable
    end,
  }
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    terminal.job = vim.fn.jobstart(command, options)
  else
    terminal.job = vim.fn.termopen(command, options)
  end
  vim.bo[terminal.buffer].buflisted = false
  vim.bo[terminal.buffer].bufhidden = "hide"
  terminals[agent] = terminal
end

---Waits until the variables for terminals are known. When the server cannot be started, a message has said so.
local function when_ready(action)
  local server = require("ide-companion.server")
  server.start()
  if status.get().port or not server.running() then
    return status.get().port and action()
  end
  api.nvim_create_autocmd("User", {
    pattern = "IdeCompanionStatus",
    callback = function()
      if status.get().port then
        vim.schedule(action)
      end
      return status.get().port ~= nil or not server.running() -- removes the autocommand
    end,
  })
end

local function launch(agent, arguments)
  local ended = terminal_of(agent)
  local window = ended and window_of(ended)
  if window then
    api.nvim_set_current_win(window)
  else
    open_window(agent)
  end
  -- The program of the server, with another command.
  local command = vim.list_slice(config.options.cmd, 1, #config.options.cmd - 1)
  vim.list_extend(command, { "run", agent, "--" })
  start(agent, vim.list_extend(command, arguments))
  if ended then
    api.nvim_buf_delete(ended.buffer, { force = true })
  end
  rename(terminals[agent].buffer, display_name(agent))
  latest = agent
  vim.cmd.startinsert()
end

---Goes to the terminal of an agent, or hides it when the user is in it.
local function toggle(agent, terminal)
  local window = window_of(terminal)
  if window and window == api.nvim_get_current_win() then
    return windows.close(window, terminal.buffer)
  elseif window then
    api.nvim_set_current_win(window)
  else
    open_window(agent)
    api.nvim_win_set_buf(0, terminal.buffer)
  end
  latest = agent
  vim.cmd.startinsert()
end

---Starts an agent, goes to its terminal, or hides it when the user is in it.
---@param agent string a name that `ide-companion run` accepts
---@param arguments string[]
function M.run(agent, arguments)
  local terminal = terminal_of(agent)
  if terminal and not terminal.has_ended then
    if #arguments > 0 then
      say.warn(("%s runs already: end it to start it with arguments"):format(display_name(agent)))
    end
    return toggle(agent, terminal)
  end
  when_ready(function()
    launch(agent, arguments)
  end)
end

---@class ide-companion.Lines 1-based, both included
---@field first integer
---@field last integer

---A file and its lines as agents read them: `@path#L3-L9`, relative to the folder of the terminal.
---@param path string
---@param folder string
---@param lines ide-companion.Lines|nil
---@return string
function M.reference(path, folder, lines)
  local inside = path:sub(1, #folder + 1) == folder .. "/"
  local name = "@" .. (inside and path:sub(#folder + 2) or path):gsub("[ \t\\]", "\\%0")
  if not lines then
    return name
  end
  return name .. (lines.first == lines.last and "#L%d" or "#L%d-L%d"):format(lines.first, lines.last)
end

---@param lines ide-companion.Lines|nil
local function type_reference(path, lines)
  local terminal = latest and terminal_of(latest)
  if not terminal or terminal.has_ended then
    return say.info("No agent here takes a reference. Start one by :IdeCompanion run")
  end
  vim.fn.chansend(terminal.job, M.reference(path, terminal.folder, lines) .. " ")
end

---Puts a reference to lines of the current file into an agent's prompt: by the companion if a connected agent supports
---that, otherwise by typing into the agent's terminal. All lines of a file are the file.
function M.send(first, last)
  local path = api.nvim_buf_get_name(0)
  if path == "" or vim.bo.buftype ~= "" then
    return say.info("There is no file in this window whose lines could be sent.")
  end
  local lines, range
  if first > 1 or last < api.nvim_buf_line_count(0) or first == last then
    lines = { first = first, last = last }
    range = { start = { line = first, character = 1 }, ["end"] = { line = last + 1, character = 1 } }
  end
  require("ide-companion.rpc").request("companion/mention", { path = path, range = range }, function(answer)
    if answer and answer.agent then
      say.info(("The prompt of %s has the reference"):format(answer.agent))
    else
      type_reference(path, lines)
    end
  end)
end

return M
