-- :IdeCompanion. A subcommand calls the public function of its name.
local M = {}

local api = require("ide-companion")

local function lines_of(call)
  return call.line1, call.line2
end

local function first_of(_, words)
  return words[1]
end

local function all_of(_, words)
  return table.concat(words, " ")
end

-- What a function gets of the call and the words behind the subcommand, if anything.
local arguments = {
  accept_ahead = function(_, words)
    return words
  end,
  comment = lines_of,
  continue = first_of,
  focus = first_of,
  history = all_of,
  keep = lines_of,
  revert = lines_of,
  review = first_of,
  run = function(_, words)
    return table.remove(words, 1), words
  end,
  send = lines_of,
  send_diagnostics = lines_of,
  send_text = function(call, words)
    return table.concat(words, " "), call.range > 0 and { first = call.line1, last = call.line2 } or nil
  end,
  toggle = first_of,
  written = all_of,
}

-- Subcommands with another name than their function, and functions that are no subcommands.
local renamed = { next = "diff", status = "show_status" }
local hidden = { auto_start = true, send_paths = true, setup = true, show_status = true, statusline = true }

-- Those that take the name of an agent.
local with_agent = { run = true, continue = true, toggle = true, focus = true }

local function names()
  local all = vim.list_extend({ "log", "next" }, vim.tbl_keys(api))
  all = vim.tbl_filter(function(name)
    return not hidden[name]
  end, all)
  table.sort(all)
  return all
end

---@param call table as `nvim_create_user_command` passes it; without a subcommand it runs `status`
function M.run(call)
  local words = vim.deepcopy(call.fargs)
  local word = table.remove(words, 1) or "status"
  if not vim.tbl_contains(names(), word) then
    local message = ("There is no %s, only %s"):format(word, table.concat(names(), ", "))
    return require("ide-companion.say").error(message)
  elseif word == "log" then
    return require("ide-companion.log").show()
  elseif word == "send" and #words > 0 then
    return api.send_paths(words)
  end
  if with_agent[word] and call.range > 0 then
    require("ide-companion.context").keep_selection()
  end
  local take = arguments[word]
  local run = api[renamed[word] or word]
  if take then
    return run(take(call, words))
  end
  run()
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
    candidates = vim.tbl_map(function(agent)
      return agent.name
    end, require("ide-companion.server").agents())
  elseif #before == 1 and before[1] == "review" then
    candidates = { "before", "after", "off" }
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
