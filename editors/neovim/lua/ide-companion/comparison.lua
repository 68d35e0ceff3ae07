-- A tab with two texts next to each other, the right one with keys: recovered edits, and what was decided earlier.
local M = {}

local tab_options = require("ide-companion.tab_options")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api

---@class ide-companion.ComparedText
---@field whose string begins the name of its buffer
---@field content string
---@field winbar string

---Shows one side in the current window.
local function side(path, label, shown)
  local buffer, window = text.new_buffer(shown.whose, label, shown.content), api.nvim_get_current_win()
  vim.bo[buffer].bufhidden = "wipe" -- it lives as long as its window
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = vim.filetype.match({ filename = path, buf = buffer }) or ""
  api.nvim_win_set_buf(window, buffer)
  windows.set(window, "winbar", (shown.winbar:gsub("%%", "%%%%")) .. "%<")
  vim.cmd.diffthis()
  return { buffer = buffer, window = window }
end

---@class ide-companion.Comparison
---@field path string of the file
---@field label string the file for people
---@field left ide-companion.ComparedText
---@field right ide-companion.ComparedText
---@field keys { [1]: string, [2]: fun(close: fun()), [3]: string }[] key, action and description

---@param comparison ide-companion.Comparison
function M.open(comparison)
  local path, label = comparison.path, comparison.label
  local from = api.nvim_get_current_win()
  tab_options.watch()
  vim.cmd("tab split")
  local right = side(path, label, comparison.right)
  vim.cmd("leftabove vertical split")
  local left = side(path, label, comparison.left)
  local function close()
    windows.close(left.window, left.buffer)
    windows.close(right.window, right.buffer)
    if api.nvim_win_is_valid(from) then
      api.nvim_set_current_win(from)
    end
  end
  for _, shown in ipairs({ left, right }) do
    for _, key in ipairs(vim.list_extend({ { "q", close, "Close" } }, comparison.keys)) do
      vim.keymap.set("n", key[1], function()
        key[2](close)
      end, { buffer = shown.buffer, nowait = true, desc = key[3] })
    end
  end
  api.nvim_set_current_win(right.window)
  vim.cmd.wincmd("=")
end

return M
