-- The status that the server sends: connected agents, open proposals and the variables of terminals.
local M = {}

local empty = { sessions = {}, diffs = {}, env = {}, ahead = {}, line = "" }
local current = empty
-- The former values of the variables that we have set; `vim.NIL` for a new variable.
local before = {}

local function announce()
  vim.api.nvim_exec_autocmds("User", {
    pattern = "IdeCompanionStatus",
    modeline = false,
    data = { sessions = current.sessions, diffs = current.diffs, port = current.port },
  })
  vim.cmd.redrawstatus({ bang = true })
  local list = package.loaded["ide-companion.list"]
  if list then
    list.follow("waiting")
  end
end

---Sets the variables by which programs that this editor starts find this editor.
local function set_env(env)
  for name, value in pairs(before) do
    if not env[name] then
      vim.env[name] = value ~= vim.NIL and value or nil
      before[name] = nil
    end
  end
  for name, value in pairs(env) do
    if before[name] == nil then
      before[name] = vim.env[name] or vim.NIL
    end
    vim.env[name] = value
  end
end

function M.set(status)
  current = status
  set_env(status.env)
  announce()
end

function M.clear()
  current = empty
  set_env({})
  announce()
end

---@return { port: integer|nil, sessions: table[], diffs: table[], env: table<string, string> }
function M.get()
  return current
end

---@return { port: integer|nil, sessions: { agent: string, connectedAt: integer }[], diffs: table[], paused: boolean }
function M.summary()
  return { port = current.port, sessions = current.sessions, diffs = current.diffs, paused = current.paused or false }
end

---Shows the status in a message.
function M.show()
  require("ide-companion.say").info(
    current.sentence or "The companion is not running. Start it by :IdeCompanion start"
  )
end

---For a status line: connected agents, whether sharing is paused, the number of open proposals, and whether the rest of
---a turn is accepted ahead; empty without any.
---It has no percent signs, because some status lines evaluate them.
---@return string
function M.component()
  return (current.line:gsub("%%", ""))
end

return M
