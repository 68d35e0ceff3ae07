-- Recovered edits: text that the user typed in proposals and that is in no file. The companion stores them until their
-- file holds them or the user discards them.
local M = {}

local comparison = require("ide-companion.comparison")
local say = require("ide-companion.say")
local stored = require("ide-companion.stored")
local text = require("ide-companion.text")

---`companion/editsRecovered`
function M.recovered(params)
  say.warn(("Your text is not in %s: %s   :IdeCompanion edits"):format(params.label, params.reason))
end

---Shows at the start that this project has recovered edits, as after a crash.
---@param all table[]
function M.announce(all)
  stored.announce(all, M.recovered, "%d texts of yours are not in their files   :IdeCompanion edits")
end

---Puts the text into the buffer of its file, as one unsaved change.
local function restore(edits)
  return function(close)
    close()
    comparison.restore(edits.filePath, edits.content)
    say.info((":w saves your text, u undoes that: %s"):format(edits.label))
  end
end

local function discard(edits)
  return function(close)
    local question = ("Discard your text for %s for good?"):format(edits.label)
    if vim.fn.confirm(question, "&Discard\n&Cancel", 2) ~= 1 then
      return
    end
    stored.request("companion/discardEdits", { id = edits.id }, function()
      close()
      say.info(("Discarded: %s."):format(edits.label))
    end)
  end
end

---Shows the file on disk next to the text.
local function show(edits)
  comparison.open({
    path = edits.filePath,
    label = edits.label,
    left = { whose = "On disk", content = text.read(edits.filePath) or "", winbar = edits.label .. " on disk" },
    right = {
      whose = "Your text",
      content = edits.content,
      winbar = ("r restores  d discards  q closes  %s: your text"):format(edits.agent),
    },
    keys = {
      { "r", restore(edits), "Put this text into the file's buffer" },
      { "d", discard(edits), "Discard this text" },
    },
  })
  say.info(edits.reason)
end

local function open(summary)
  stored.request("companion/readEdits", { id = summary.id }, show)
end

---Lists them, and compares the chosen one with its file.
function M.show()
  stored.request("companion/edits", vim.empty_dict(), function(result)
    local words = { none = "There are no recovered edits.", prompt = "Recovered edits" }
    stored.choose(result.edits, words, open)
  end)
end

return M
