-- The status that the server sends: connected agents, open proposals and the variables of terminals.
local M = {}

local empty = { sessions = {}, diffs = {}, env = {} }
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

---@return string[] of the connected agents
local function names()
  return vim.tbl_map(function(session)
    return session.agent
  end, current.sessions)
end

---Shows the status in a message.
function M.show()
  local say = require("ide-companion.say")
  if not current.port then
    return say.info("The companion is not running. Start it by :IdeCompanion start")
  end
  say.info(
    ("Port %d. Connected: %s. Waiting for you: %d.%s"):format(
      current.port,
      #names() > 0 and table.concat(names(), ", ") or "nobody yet",
      #current.diffs,
      current.paused and " Paused: agents are sent nothing." or ""
    )
  )
end

---For a status line: connected agents, whether sharing is paused, the number of open proposals, and whether the rest of
---a turn is accepted ahead; empty without any.
---It has no percent signs, because some status lines evaluate them.
---@return string
function M.component()
  if not current.port then
    return ""
  end
  local waiting = #current.diffs > 0 and (" (%d)"):format(#current.diffs) or ""
  for _, turn in ipairs(current.turns or {}) do
    if turn.ahead then
      waiting = waiting .. " ahead"
      break
    end
  end
  local paused = current.paused and "paused" or ""
  local gap = paused ~= "" and #names() > 0 and " " or ""
  return table.concat(names(), ", "):gsub("%%", "") .. gap .. paused .. waiting
end

return M
