-- The public functions. Each module is loaded when it is first needed.
local M = {}

-- What a function calls: a function of a module, and what that gets before the caller's arguments. The functions are
-- described in :help ide-companion-functions.
local functions = {
  setup = { "config", "set" },
  start = { "server", "start" },
  stop = { "server", "stop" },
  restart = { "server", "restart" },
  page = { "stored", "page" },
  pause = { "stored", "pause", true },
  resume = { "stored", "pause", false },
  review = { "stored", "review" },
  status = { "status", "summary" },
  statusline = { "status", "component" },
  show_status = { "status", "show" },
  accept = { "diff", "decide", "diffAccepted" },
  reject = { "diff", "decide", "diffRejected" },
  ask_more = { "diff", "decide_with_comments", "diffAccepted" },
  say_why = { "diff", "decide_with_comments", "diffRejected" },
  comment = { "diff", "comment" },
  comments = { "stored", "show", "comments" },
  edit = { "diff", "edit" },
  diff = { "diff", "show", 1 },
  previous = { "diff", "show", -1 },
  list = { "diff", "list" },
  accept_all = { "stored", "act", "accept" },
  reject_all = { "stored", "act", "reject" },
  accept_rest = { "diff", "act", "accept-agent" },
  accept_ahead = { "diff", "act", "accept-ahead" },
  stop_ahead = { "stored", "act", "stop-ahead" },
  history = { "stored", "show", "history" },
  edits = { "stored", "show", "edits" },
  written = { "stored", "show", "written" },
  written_hunks = { "list", "show", "written" },
  pick_written = { "list", "pick_written" },
  next_written = { "written", "go", 1 },
  previous_written = { "written", "go", -1 },
  keep = { "written", "decide", "keep" },
  revert = { "written", "decide", "revert" },
  merge = { "conflict", "merge" },
  run = { "terminal", "run" },
  continue = { "terminal", "continue" },
  toggle = { "terminal", "toggle" },
  focus = { "terminal", "focus" },
  send = { "send", "lines" },
  send_paths = { "send", "paths" },
  send_diagnostics = { "send", "diagnostics" },
  send_text = { "send", "text" },
}

for name, target in pairs(functions) do
  local module, action, first = unpack(target)
  M[name] = function(...)
    local call = require("ide-companion." .. module)[action]
    if first ~= nil then
      return call(first, ...)
    end
    return call(...)
  end
end

---Starts with the first file, unless the option `auto_start` is off.
function M.auto_start()
  if require("ide-companion.config").options.auto_start and not require("ide-companion.server").is_of_git() then
    M.start()
  end
end

return M
