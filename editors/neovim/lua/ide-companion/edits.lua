-- Recovered edits: text that the user typed in proposals and that is in no file. The companion stores them until their
-- file holds them or the user discards them.
local M = {}

local say = require("ide-companion.say")
local stored = require("ide-companion.stored")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api

local keys = "r restores  d discards  q closes  "

---`companion/editsRecovered`
function M.recovered(params)
  say.warn((":IdeCompanion edits   Your text is not in %s: %s"):format(params.label, params.reason))
end

---Shows at the start that this project has recovered edits, as after a crash.
---@param all table[]
function M.announce(all)
  stored.announce(all, M.recovered, ":IdeCompanion edits   %d texts of yours are not in their files")
end

local function close(view)
  windows.close(view.on_disk.window, view.on_disk.buffer)
  windows.close(view.mine.window, view.mine.buffer)
end

---Puts the text into the buffer of its file, as one unsaved change.
local function restore(view)
  close(view)
  vim.cmd.edit(vim.fn.fnameescape(view.edits.filePath))
  text.replace(0, view.edits.content)
  say.info((":w saves your text, u undoes that: %s"):format(view.edits.label))
end

local function discard(view)
  local question = ("Discard your text for %s for good?"):format(view.edits.label)
  if vim.fn.confirm(question, "&Discard\n&Cancel", 2) ~= 1 then
    return
  end
  stored.request("companion/discardEdits", { id = view.edits.id }, function()
    close(view)
    say.info(("Discarded: %s."):format(view.edits.label))
  end)
end

local function set_keys(view, buffer)
  local function map(key, action, description)
    vim.keymap.set("n", key, function()
      action(view)
    end, { buffer = buffer, nowait = true, desc = description })
  end
  map("r", restore, "Put this text into the file's buffer")
  map("d", discard, "Discard this text")
  map("q", close, "Close the recovered edits")
end

---Shows one side of the comparison in the current window.
local function side(whose, edits, content)
  local buffer = text.new_buffer(whose, edits.label, content)
  local window = api.nvim_get_current_win()
  api.nvim_win_set_buf(window, buffer)
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = vim.filetype.match({ filename = edits.filePath, buf = buffer }) or ""
  return { buffer = buffer, window = window }
end

local function content_of(path)
  local file = io.open(path, "rb")
  local content = file and file:read("*a") or ""
  if file then
    file:close()
  end
  return content
end

---Opens a tab with the file on disk next to the text.
local function show(edits)
  vim.cmd("tab split")
  windows.forget_options(api.nvim_get_current_win())
  local view = { edits = edits, mine = side("Your text", edits, edits.content) }
  vim.cmd("leftabove vertical split")
  view.on_disk = side("On disk", edits, content_of(edits.filePath))
  windows.set(view.on_disk.window, "winbar", (edits.label:gsub("%%", "%%%%")) .. " on disk%<")
  windows.set(view.mine.window, "winbar", keys .. edits.agent:gsub("%%", "%%%%") .. ": your text%<")
  for _, each in ipairs({ view.on_disk, view.mine }) do
    api.nvim_win_call(each.window, vim.cmd.diffthis)
    set_keys(view, each.buffer)
  end
  api.nvim_set_current_win(view.mine.window)
  vim.cmd.wincmd("=")
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
