-- What the user sends into the prompt of an agent. Nothing presses Enter.
local M = {}

local api = vim.api
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local text = require("ide-companion.text")

local no_agent = "No agent here takes a reference. Start one by :IdeCompanion run"

---@class ide-companion.Lines 1-based, both included
---@field first integer
---@field last integer

---A file and its lines as agents read them: `@path#L3-L9`, relative to the folder of the terminal.
---@param path string
---@param folder string
---@param lines ide-companion.Lines|nil
---@return string
function M.reference(path, folder, lines)
  local inside = path:sub(1, #folder + 1) == folder .. "/"
  local name = "@" .. (inside and path:sub(#folder + 2) or path):gsub("[ \t\\]", "\\%0")
  if not lines then
    return name
  end
  return name .. (lines.first == lines.last and "#L%d" or "#L%d-L%d"):format(lines.first, lines.last)
end

---Types a text into the terminal of an agent. It has no control character: a line end would send the prompt.
local function type_text(terminal, typed)
  vim.fn.chansend(terminal.job, (typed:gsub("%c+", " ")) .. " ")
end

local function latest()
  return require("ide-companion.terminal").latest()
end

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

---Puts references into an agent's prompt: by the companion if a connected agent supports that, otherwise by typing into
---the agent's terminal.
---@param paths string[] absolute
---@param lines ide-companion.Lines|nil of the only path
local function refer(paths, lines)
  local untyped, open_requests, taken_by = {}, #paths, nil
  local function finish()
    local terminal = latest()
    if taken_by then
      say.info(("The prompt of %s has the reference"):format(taken_by))
    elseif not terminal then
      return say.info(no_agent)
    end
    if #untyped > 0 and terminal then
      type_text(terminal, table.concat(untyped, " "))
    end
  end
  local range = lines
    and { start = { line = lines.first, character = 1 }, ["end"] = { line = lines.last + 1, character = 1 } }
  for _, path in ipairs(paths) do
    rpc.request("companion/mention", { path = path, range = range }, function(answer)
      open_requests = open_requests - 1
      if answer and answer.agent then
        taken_by = answer.agent
      else
        local terminal = latest()
        untyped[#untyped + 1] = M.reference(path, terminal and terminal.folder or "", lines)
      end
      if open_requests == 0 then
        finish()
      end
    end)
  end
end

---Sends lines of the current file, or the entries of a file tree on these lines. All lines of a file are the file.
---@param first integer
---@param last integer
function M.lines(first, last)
  local entries = require("ide-companion.trees").entries(first, last)
  if entries then
    return #entries > 0 and refer(entries) or say.info("There is no file on this line.")
  end
  local path = current_path()
  if path then
    refer({ path }, part(first, last))
  end
end

---@param paths string[] files and folders
function M.paths(paths)
  refer(vim.tbl_map(function(path)
    return (vim.fn.fnamemodify(vim.fn.expand(path), ":p"):gsub("(.)/$", "%1"))
  end, paths))
end

---Types a text into the agent that was shown last; without one it is on the clipboard.
local function type_or_copy(typed, what)
  local terminal, agent = latest()
  if terminal then
    type_text(terminal, typed)
    return say.info(("%s: in the prompt of %s"):format(what, agent))
  end
  local where = text.copy(typed) and "on the clipboard" or 'in register "'
  say.info(("%s: %s, because no agent runs in a terminal of Neovim"):format(what, where))
end

local function folder_of_latest()
  local terminal = latest()
  return terminal and terminal.folder or vim.fn.getcwd()
end

---Sends a text, with a reference to lines of the current file if they are given.
---@param words string an empty one is asked for
---@param lines ide-companion.Lines|nil
function M.text(words, lines)
  local path = lines and current_path()
  if lines and not path then
    return
  end
  local head = path and M.reference(path, folder_of_latest(), part(lines.first, lines.last)) .. " " or ""
  if words ~= "" then
    return type_or_copy(head .. words, "Your text")
  end
  vim.ui.input({ prompt = "To the agent: " }, function(answer)
    if answer and vim.trim(answer) ~= "" then
      type_or_copy(head .. answer, "Your text")
    end
  end)
end

local severities = { "error", "warning", "info", "hint" }

local function describe(found)
  local source = vim.trim(("%s %s"):format(found.source or "", found.code or ""))
  local said = ("L%d %s: %s"):format(found.lnum + 1, severities[found.severity] or "error", found.message)
  return source == "" and said or ("%s (%s)"):format(said, source)
end

---Sends what language servers and linters have found on lines of the current file.
---@param first integer
---@param last integer
function M.diagnostics(first, last)
  local path = current_path()
  if not path then
    return
  end
  local found = vim.tbl_filter(function(one)
    return one.lnum + 1 <= last and (one.end_lnum or one.lnum) + 1 >= first
  end, vim.diagnostic.get(0))
  if #found == 0 then
    return say.info("There are no diagnostics on these lines.")
  end
  table.sort(found, function(one, other)
    return one.lnum < other.lnum
  end)
  local reference = M.reference(path, folder_of_latest(), part(first, last))
  type_or_copy(reference .. " " .. table.concat(vim.tbl_map(describe, found), "; "), "The diagnostics")
end

return M
