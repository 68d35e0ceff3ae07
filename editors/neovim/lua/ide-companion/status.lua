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

---For a status line: connected agents, whether sharing is paused, the number of open proposals, and whether the rest of
---a turn is accepted ahead; empty without any.
---It has no percent signs, because some status lines evaluate them.
---@return string
function M.component()
  if not current.port then
    return ""
  end
  local names = vim.tbl_map(function(session)
    return session.agent
  end, current.sessions)
  local waiting = #current.diffs > 0 and (" (%d)"):format(#current.diffs) or ""
  for _, turn in ipairs(current.turns or {}) do
    if turn.ahead then
      waiting = waiting .. " ahead"
      break
    end
  end
  local paused = current.paused and "paused" or ""
  local gap = paused ~= "" and #names > 0 and " " or ""
  return table.concat(names, ", "):gsub("%%", "") .. gap .. paused .. waiting
end

return M
