-- The keys in the diff of a proposal.
local M = {}

local config = require("ide-companion.config")

local function api()
  return require("ide-companion")
end

local function accept()
  api().accept()
end

local function reject()
  api().reject()
end

local function ask_more()
  api().ask_more()
end

local function say_why()
  api().say_why()
end

local function comment()
  local line = vim.fn.line(".")
  api().comment(line, line)
end

local function comment_on_selection()
  local first, last = vim.fn.line("v"), vim.fn.line(".")
  vim.api.nvim_feedkeys("\27", "nx", false) -- Escape, at once
  api().comment(math.min(first, last), math.max(first, last))
end

---Maps them in both sides.
---@param proposal ide-companion.Proposal
function M.map(proposal)
  local function map(key, action, description, mode)
    if key then
      for _, buffer in ipairs({ proposal.proposed, proposal.base }) do
        vim.keymap.set(mode or "n", key, action, { buffer = buffer, desc = description })
      end
    end
  end
  local keys = config.options.diff.keys
  map("ZZ", accept, "Accept the proposal")
  map(keys.accept, accept, "Accept the proposal")
  map(keys.reject, reject, "Reject the proposal")
  map(keys.ask_more, ask_more, "Accept the proposal and send the comments")
  map(keys.say_why, say_why, "Reject the proposal and send the comments")
  map(keys.comment, comment, "Comment on this line")
  map(keys.comment, comment_on_selection, "Comment on these lines", "x")
end

return M
