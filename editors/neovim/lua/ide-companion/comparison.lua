-- A tab with two texts next to each other, the right one with keys: recovered edits, and what was decided earlier.
local M = {}

local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api

---@class ide-companion.ComparedText
---@field whose string begins the buffer's name
---@field content string
---@field winbar string

---Shows one side in the current window.
local function side(path, label, shown)
  local buffer = text.new_buffer(shown.whose, label, shown.content)
  local window = api.nvim_get_current_win()
  api.nvim_win_set_buf(window, buffer)
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = vim.filetype.match({ filename = path, buf = buffer }) or ""
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
  vim.cmd("tab split")
  windows.forget_options(api.nvim_get_current_win())
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
  for _, each in ipairs({ { left, comparison.left }, { right, comparison.right } }) do
    local shown, given = each[1], each[2]
    windows.set(shown.window, "winbar", (given.winbar:gsub("%%", "%%%%")) .. "%<")
    api.nvim_win_call(shown.window, vim.cmd.diffthis)
    for _, key in ipairs(vim.list_extend({ { "q", close, "Close the comparison" } }, comparison.keys)) do
      vim.keymap.set("n", key[1], function()
        key[2](close)
      end, { buffer = shown.buffer, nowait = true, desc = key[3] })
    end
  end
  api.nvim_set_current_win(right.window)
  vim.cmd.wincmd("=")
end

---Puts a text into the buffer of its file, as one unsaved change.
---@param path string
---@param content string
function M.restore(path, content)
  vim.cmd("hide edit " .. vim.fn.fnameescape(path))
  text.replace(0, content)
end

return M
