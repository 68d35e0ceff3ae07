-- The keys in the diff of a proposal.
local M = {}

local config = require("ide-companion.config")

---@param name string of a public function
local function call(name)
  return function()
    require("ide-companion")[name]()
  end
end

local function comment_on(first, last)
  require("ide-companion").comment(first, last)
end

local function comment()
  local line = vim.fn.line(".")
  comment_on(line, line)
end

local function comment_on_selection()
  local first, last = vim.fn.line("v"), vim.fn.line(".")
  vim.api.nvim_feedkeys("\27", "nx", false) -- Escape, at once
  comment_on(math.min(first, last), math.max(first, last))
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
  map("ZZ", call("accept"), "Accept the proposal")
  map(keys.accept, call("accept"), "Accept the proposal")
  map(keys.reject, call("reject"), "Reject the proposal")
  map(keys.ask_more, call("ask_more"), "Accept the proposal and send the comments")
  map(keys.say_why, call("say_why"), "Reject the proposal and send the comments")
  map(keys.next, call("diff"), "Go to the next proposal")
  map(keys.previous, call("previous"), "Go to the previous proposal")
  map(keys.comment, comment, "Comment on this line")
  map(keys.comment, comment_on_selection, "Comment on these lines", "x")
end

return M
