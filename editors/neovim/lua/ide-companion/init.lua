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

---Accepts the proposal of the current tab, or else the only one; goes to the oldest of several.
function M.accept()
  require("ide-companion.diff").accept()
end

---Rejects the proposal of the current tab, or else the only one; goes to the oldest of several.
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

---Goes to the oldest proposal; from a proposal to the next one.
function M.diff()
  require("ide-companion.diff").show()
end

---Goes to the proposal before; without one in this tab, to the oldest.
function M.previous()
  require("ide-companion.diff").show(-1)
end

---Lists the proposals in the quickfix list.
function M.list()
  require("ide-companion.diff").list()
end

---Lists the changes of the proposal in the location list.
function M.hunks()
  require("ide-companion.diff").hunks()
end

---Accepts all proposals after one question.
function M.accept_all()
  require("ide-companion.list").decide_all("diffAccepted")
end

---Rejects all proposals after one question.
function M.reject_all()
  require("ide-companion.list").decide_all("diffRejected")
end

---Accepts all that wait of the agent whose proposal is current, after one question.
function M.accept_rest()
  require("ide-companion.diff").accept_rest()
end

---Accepts what that agent proposes until its turn ends, after one question.
---@param stop_at string[]|nil patterns of files that wait for the user all the same, as in a `.gitignore`
function M.accept_ahead(stop_at)
  require("ide-companion.diff").accept_ahead(stop_at or {})
end

---From now on the user decides again.
function M.stop_ahead()
  require("ide-companion.list").stop_ahead()
end

---Lists what was decided earlier.
---@param wanted string|nil only decisions whose file, agent or outcome holds it
function M.history(wanted)
  require("ide-companion.history").show(wanted)
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
---@param agent string|nil a name that `ide-companion run` accepts, with `:2` for a second terminal; by default the
---agent that was shown last, or the user chooses
---@param arguments string[]|nil
function M.run(agent, arguments)
  require("ide-companion.terminal").run(agent, arguments or {})
end

---Starts an agent with its last session of the folder.
---@param agent string|nil as for `run`
function M.continue(agent)
  require("ide-companion.terminal").continue(agent)
end

---Hides the terminal of an agent where the tab shows it, and shows it otherwise.
---@param agent string|nil as for `run`
function M.toggle(agent)
  require("ide-companion.terminal").toggle(agent)
end

---Goes to the terminal of an agent, and from there back.
---@param agent string|nil as for `run`
function M.focus(agent)
  require("ide-companion.terminal").focus(agent)
end

---Hides the terminals of all agents in this tab.
function M.hide()
  require("ide-companion.terminal").hide()
end

---Puts a reference into an agent's prompt: to lines of the current file, or to what a file tree shows on these lines.
---@param first integer
---@param last integer
function M.send(first, last)
  require("ide-companion.send").lines(first, last)
end

---The same for files and folders.
---@param paths string[]
function M.send_paths(paths)
  require("ide-companion.send").paths(paths)
end

---Types the diagnostics of lines of the current file into an agent's prompt.
---@param first integer
---@param last integer
function M.send_diagnostics(first, last)
  require("ide-companion.send").diagnostics(first, last)
end

---Types a text into an agent's prompt, after a reference to lines of the current file if they are given.
---@param words string|nil an absent one is asked for
---@param lines { first: integer, last: integer }|nil
function M.send_text(words, lines)
  require("ide-companion.send").text(words or "", lines)
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
