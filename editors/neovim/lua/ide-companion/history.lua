-- What was decided earlier: a list, each as a diff, and the ways to take it back or to put it in again.
local M = {}

local comparison = require("ide-companion.comparison")
local say = require("ide-companion.say")
local stored = require("ide-companion.stored")
local text = require("ide-companion.text")

---Whether the buffer of a file has changes that its file does not have: the change would not be the only one.
local function has_unsaved_changes(path)
  local buffer = text.buffer_of(path)
  return buffer > 0 and vim.bo[buffer].modified
end

---Lets the server change the file's text as it is now, and shows that as an unsaved change.
---@param kind "undo"|"reapply"
---@param what string
local function rewriting(decision, kind, what)
  return function(close)
    stored.request("companion/rewriteFile", { id = decision.id, kind = kind }, function(result)
      if result.reason then
        return say.info(result.reason)
      elseif has_unsaved_changes(result.filePath) then
        return say.warn(("%s has unsaved changes: write them first"):format(decision.label))
      end
      close()
      comparison.restore(result.filePath, result.content)
      say.info((":w saves %s, u undoes that: %s"):format(what, decision.label))
    end)
  end
end

local function show(decision)
  local before = decision.before ~= vim.NIL and decision.before or ""
  comparison.open({
    path = decision.filePath,
    label = decision.label,
    left = { whose = "Before", content = before, winbar = decision.label .. " before" },
    right = {
      whose = decision.agent,
      content = decision.after,
      winbar = ("u undoes  p puts it in  q closes  %s: %s"):format(decision.agent, decision.text),
    },
    keys = {
      { "u", rewriting(decision, "undo", "the file without the change"), "Take the change out of its file" },
      { "p", rewriting(decision, "reapply", "your version"), "Put your version into the file again" },
    },
  })
end

---Lists decisions about files of the open folders, newest first, and compares the chosen one.
---@param wanted string|nil only those whose file, agent or outcome holds it
function M.show(wanted)
  stored.request("companion/history", vim.empty_dict(), function(result)
    local found = vim.tbl_filter(function(one)
      return (one.label .. " " .. one.agent .. " " .. one.text):find(wanted or "", 1, true) ~= nil
    end, result.decisions)
    stored.choose(found, { none = "Nothing of the kind has been decided.", prompt = "Decisions" }, function(chosen)
      stored.request("companion/readDecision", { id = chosen.id }, show)
    end)
  end)
end

return M
