-- What the server has told of itself: who is connected, what waits, and the variables of terminals.
local M = {}

local empty = { sessions = {}, diffs = {}, env = {} }
local current = empty
-- The variables that we have set, and what they were before; `vim.NIL` when they were not.
local before = {}

local function announce()
  vim.api.nvim_exec_autocmds("User", {
    pattern = "IdeCompanionStatus",
    modeline = false,
    data = { sessions = current.sessions, diffs = current.diffs, port = current.port },
  })
  vim.cmd.redrawstatus({ bang = true })
end

---Terminals and everything else that this editor starts from now on find it, and no other one.
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

---For a status line: who is connected, whether sharing is paused, and how many proposals wait; empty when nobody is.
---Without percent signs: some status lines would run what follows one.
---@return string
function M.component()
  if not current.port then
    return ""
  end
  local names = vim.tbl_map(function(session)
    return session.agent
  end, current.sessions)
  local waiting = #current.diffs > 0 and (" (%d)"):format(#current.diffs) or ""
  local paused = current.paused and "paused" or ""
  local gap = paused ~= "" and #names > 0 and " " or ""
  return table.concat(names, ", "):gsub("%%", "") .. gap .. paused .. waiting
end

return M
