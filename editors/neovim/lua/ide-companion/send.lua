-- What the user sends into the prompt of an agent. Nothing presses Enter.
local M = {}

local api = vim.api
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local text = require("ide-companion.text")

---@class ide-companion.Lines 1-based, both included
---@field first integer
---@field last integer

---Lines of the current file; nil for all of them.
---@return ide-companion.Lines|nil
local function part(first, last)
  local is_part = first > 1 or last < api.nvim_buf_line_count(0) or first == last
  return is_part and { first = first, last = last } or nil
end

---@return string|nil of the current file; when there is none, a message says so
local function current_path()
  local path = api.nvim_buf_get_name(0)
  if path ~= "" and vim.bo.buftype == "" then
    return path
  end
  say.info("There is no file in this window whose lines could be sent.")
end

---Puts a message into an agent's prompt: by the companion if it reaches the prompt of a connected agent, otherwise by
---typing into the agent's terminal here. Without one it is copied.
---@param message table `mentions`, `diagnostics` and `text`, as in `companion/send`
local function send(message)
  local terminal, agent = require("ide-companion.terminal").latest()
  message.folder = terminal and terminal.folder or vim.fn.getcwd()
  rpc.request("companion/send", message, function(answer, failure)
    if failure then
      return say.info(failure.message)
    elseif answer.types and terminal then
      require("ide-companion.screens").paste(terminal.buffer, answer.copy)
      return say.info(("The prompt of %s has it"):format(agent))
    end
    say.info(text.sentence(answer.message, answer))
  end)
end

---@param paths string[] absolute
local function refer(paths)
  send({
    mentions = vim.tbl_map(function(path)
      return { path = path }
    end, paths),
  })
end

---Sends lines of the current file, or the entries of a file tree on these lines. All lines of a file are the file.
---@param first integer
---@param last integer
function M.lines(first, last)
  local entries = require("ide-companion.trees").entries(first, last)
  if entries and #entries > 0 then
    return refer(entries)
  elseif entries then
    return say.info("There is no file on this line.")
  end
  local path = current_path()
  if path then
    send({ mentions = { { path = path, lines = part(first, last) } } })
  end
end

---@param paths string[] files and folders; what is none may stand for one, as `%:h` does
function M.paths(paths)
  local absolute = {}
  for _, path in ipairs(paths) do
    local name = vim.fn.getftype(path) == "" and vim.fn.expand(path, true) or path
    if vim.fn.getftype(name) == "" then
      return say.warn(("There is no %s"):format(path))
    end
    absolute[#absolute + 1] = vim.fn.fnamemodify(name, ":p"):gsub("(.)/$", "%1")
  end
  refer(absolute)
end

---Sends a text, with a reference to lines of the current file if they are given.
---@param words string an empty one is asked for
---@param lines ide-companion.Lines|nil
function M.text(words, lines)
  local path = lines and current_path()
  if lines and not path then
    return
  end
  local mentions = path and { { path = path, lines = part(lines.first, lines.last) } } or nil
  if words ~= "" then
    return send({ text = words, mentions = mentions })
  end
  vim.ui.input({ prompt = "To the agent: " }, function(answer)
    if answer and vim.trim(answer) ~= "" then
      send({ text = answer, mentions = mentions })
    end
  end)
end

---Sends what language servers and linters have found on lines of the current file.
---@param first integer
---@param last integer
function M.diagnostics(first, last)
  local path = current_path()
  if path then
    send({ diagnostics = { path = path, lines = { first = first, last = last } } })
  end
end

return M
