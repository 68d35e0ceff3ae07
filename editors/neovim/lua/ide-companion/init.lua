-- The public functions. Each module is loaded when it is first needed.
local M = {}

---Sets options. The call is optional.
---@param options table|nil see :help ide-companion-options
function M.setup(options)
  require("ide-companion.config").set(options)
end

---Starts with the first file, unless the option `auto_start` is off.
function M.auto_start()
  if require("ide-companion.config").options.auto_start then
    M.start()
  end
end

function M.start()
  require("ide-companion.server").start()
end

function M.stop()
  require("ide-companion.server").stop()
end

function M.restart()
  require("ide-companion.server").restart()
end

---Agents receive no context of this project until `resume`.
function M.pause()
  require("ide-companion.sharing").switch("pause")
end

---Agents receive the context of this project again.
function M.resume()
  require("ide-companion.sharing").switch("resume")
end

---Accepts the proposal of the current tab, or else the oldest.
function M.accept()
  require("ide-companion.diff").accept()
end

---Rejects the proposal of the current tab, or else the oldest.
function M.reject()
  require("ide-companion.diff").reject()
end

---Lets the user edit a proposal whose agent takes no edits: that of the current tab, or else the oldest.
function M.edit()
  require("ide-companion.diff").edit()
end

---Asks for a comment on lines of the proposal in the current tab.
---@param first integer
---@param last integer
function M.comment(first, last)
  require("ide-companion.diff").comment(first, last)
end

---Accepts the proposal and sends the comments on it, to ask for more.
function M.ask_more()
  require("ide-companion.diff").decide_with_comments("diffAccepted")
end

---Rejects the proposal and sends the comments on it, to say why.
function M.say_why()
  require("ide-companion.diff").decide_with_comments("diffRejected")
end

---Lists the comments that no agent has received.
function M.comments()
  require("ide-companion.waiting_comments").show()
end

---Goes to the oldest proposal.
function M.diff()
  require("ide-companion.diff").show()
end

---Compares a buffer that has unsaved changes with its file, which holds an accepted change.
function M.merge()
  require("ide-companion.conflict").merge()
end

---Lists the recovered edits.
function M.edits()
  require("ide-companion.edits").show()
end

---Shows an agent in a terminal of this editor; hides it when the user is in it.
---@param agent string a name that `ide-companion run` accepts
---@param arguments string[]|nil
function M.run(agent, arguments)
  require("ide-companion.terminal").run(agent, arguments or {})
end

---Types a reference to lines of the current file into the prompt of the agent that was started last.
---@param first integer
---@param last integer
function M.send(first, last)
  require("ide-companion.terminal").send(first, last)
end

---@return { port: integer|nil, sessions: { agent: string, connectedAt: integer }[], diffs: table[], paused: boolean }
function M.status()
  local status = require("ide-companion.status").get()
  return { port = status.port, sessions = status.sessions, diffs = status.diffs, paused = status.paused or false }
end

---For a status line: the connected agents, and the number of open proposals in parentheses.
---@return string
function M.statusline()
  return require("ide-companion.status").component()
end

---Shows the status in a message.
function M.show_status()
  local say, status = require("ide-companion.say"), M.status()
  if not status.port then
    return say.info("The companion is not running. Start it by :IdeCompanion start")
  end
  local names = vim.tbl_map(function(session)
    return session.agent
  end, status.sessions)
  say.info(
    ("Port %d. Connected: %s. Waiting for you: %d.%s"):format(
      status.port,
      #names > 0 and table.concat(names, ", ") or "nobody yet",
      #status.diffs,
      status.paused and " Paused: agents are sent nothing." or ""
    )
  )
end

return M
