-- Proposals that Neovim could not show. They wait in the review page, whose link is stored here.
local M = {}

local say = require("ide-companion.say")
local status = require("ide-companion.status")
local text = require("ide-companion.text")

local api = vim.api

---@type string|nil of the latest message
local link

---Stores the link of a message, which is too long for the command line.
---@param message string
---@param found string the link in it
function M.remember(message, found)
  link = found
  say.error(message .. "   :IdeCompanion diff")
end

---The proposals that wait in the browser.
---@param is_here fun(id: string): boolean
---@return table[] empty when there is no link to them
function M.waiting(is_here)
  return link == nil and {}
    or vim.tbl_filter(function(diff)
      return not is_here(diff.id)
    end, status.get().diffs)
end

local function open_link()
  local job, failure = vim.ui.open(link)
  if not job then
    say.error(failure or "No program opens links here")
  end
end

local function copy_link()
  text.copy(link)
  say.info("The link is copied.")
end

---Lists them with their link in a new window.
---@param diffs table[]
function M.show(diffs)
  local lines = { "These proposals wait in the browser:" }
  for _, diff in ipairs(diffs) do
    lines[#lines + 1] = ("  %s: %s"):format(diff.agent, (diff.filePath:gsub("%c", "?")))
  end
  local copies = "y copies the link, q closes this window"
  local keys = vim.ui.open and "Enter opens the link, y copies it, q closes this window" or copies
  local buffer = require("ide-companion.log").show_lines(vim.list_extend(lines, { "", link, "", keys }))
  if vim.ui.open then
    vim.keymap.set("n", "<CR>", open_link, { buffer = buffer, desc = "Open the link" })
  end
  vim.keymap.set("n", "y", copy_link, { buffer = buffer, nowait = true, desc = "Copy the link" })
  api.nvim_win_set_height(0, #lines)
  api.nvim_win_set_cursor(0, { #lines - 2, 0 })
end

return M
