-- :IdeCompanion, one entry per subcommand.
local M = {}

local function api()
  return require("ide-companion")
end

local function say()
  return require("ide-companion.say")
end

local words = {
  accept = function()
    api().accept()
  end,
  reject = function()
    api().reject()
  end,
  ask_more = function()
    api().ask_more()
  end,
  say_why = function()
    api().say_why()
  end,
  comment = function(call)
    api().comment(call.line1, call.line2)
  end,
  comments = function()
    api().comments()
  end,
  edit = function()
    api().edit()
  end,
  diff = function()
    api().diff()
  end,
  next = function()
    api().diff()
  end,
  previous = function()
    api().previous()
  end,
  list = function()
    api().list()
  end,
  hunks = function()
    api().hunks()
  end,
  accept_all = function()
    api().accept_all()
  end,
  reject_all = function()
    api().reject_all()
  end,
  accept_rest = function()
    api().accept_rest()
  end,
  accept_ahead = function(_, arguments)
    api().accept_ahead(arguments)
  end,
  stop_ahead = function()
    api().stop_ahead()
  end,
  history = function(_, arguments)
    api().history(table.concat(arguments, " "))
  end,
  edits = function()
    api().edits()
  end,
  merge = function()
    api().merge()
  end,
  pause = function()
    api().pause()
  end,
  resume = function()
    api().resume()
  end,
  status = function()
    api().show_status()
  end,
  log = function()
    require("ide-companion.log").show()
  end,
  start = function()
    api().start()
  end,
  stop = function()
    api().stop()
  end,
  restart = function()
    api().restart()
  end,
  run = function(_, arguments)
    api().run(table.remove(arguments, 1), arguments)
  end,
  continue = function(_, arguments)
    api().continue(arguments[1])
  end,
  toggle = function(_, arguments)
    api().toggle(arguments[1])
  end,
  focus = function(_, arguments)
    api().focus(arguments[1])
  end,
  hide = function()
    api().hide()
  end,
  send = function(call, arguments)
    if #arguments > 0 then
      return api().send_paths(arguments)
    end
    api().send(call.line1, call.line2)
  end,
  send_diagnostics = function(call)
    api().send_diagnostics(call.line1, call.line2)
  end,
  send_text = function(call, arguments)
    local lines = call.range > 0 and { first = call.line1, last = call.line2 } or nil
    api().send_text(table.concat(arguments, " "), lines)
  end,
}

-- Those that take the name of an agent.
local with_agent = { run = true, continue = true, toggle = true, focus = true }

local function names()
  local all = vim.tbl_keys(words)
  table.sort(all)
  return all
end

---@param call table as `nvim_create_user_command` passes it; without a subcommand it runs `status`
function M.run(call)
  local arguments = vim.deepcopy(call.fargs)
  local word = table.remove(arguments, 1) or "status"
  local action = words[word]
  if not action then
    return say().error(("There is no %s, only %s"):format(word, table.concat(names(), ", ")))
  end
  action(call, arguments)
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = vim.split(line:sub(1, #line - #lead):gsub("^.-IdeCompanion", ""), "%s+", { trimempty = true })
  local candidates = {}
  if #before == 0 then
    candidates = names()
  elseif #before == 1 and with_agent[before[1]] then
    candidates = require("ide-companion.server").agent_names()
  elseif before[1] == "send" then
    -- A space in an argument needs a backslash.
    return vim.tbl_map(function(path)
      return vim.fn.escape(path, " \\")
    end, vim.fn.getcompletion((lead:gsub("\\(.)", "%1")), "file"))
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, candidates)
end

return M
