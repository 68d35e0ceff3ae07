-- Sends what the user types in a proposal to the companion, which stores it on disk and says where it differs from the
-- file.
local M = {}

local rpc = require("ide-companion.rpc")
local text = require("ide-companion.text")

-- A large text is sent less often, because building it blocks the editor for a moment.
local wait_ms, bytes_per_ms = 50, 4096
-- How long the end of Neovim waits for a server that does not answer.
local farewell_ms = 1000

---@param proposal ide-companion.Proposal
---@return string its text as it stands, or as it was when its buffer was unloaded, as by `:q!`
function M.text(proposal)
  return vim.api.nvim_buf_is_loaded(proposal.proposed) and text.get(proposal.proposed) or proposal.last_text
end

---Drawn hunks stay until the answer about the last key.
local function on_answer(proposal, result)
  if proposal.unanswered > 0 or proposal.draft_timer or not vim.api.nvim_buf_is_loaded(proposal.proposed) then
    return
  end
  if result and result ~= vim.NIL then
    proposal.hunks, proposal.facts = result.hunks, result.facts
    require("ide-companion.view").on_compared(proposal)
  end
  local due = proposal.due
  proposal.due = {}
  for _, action in ipairs(due) do
    action(proposal)
  end
end

---Stops the timer, and sends text that has not been sent.
---@param proposal ide-companion.Proposal
function M.flush(proposal)
  local timer = proposal.draft_timer
  proposal.draft_timer = nil
  if not timer then
    return
  end
  timer:close()
  if not proposal.ended then
    proposal.unanswered = proposal.unanswered + 1
    rpc.request("companion/draft", { id = proposal.id, content = M.text(proposal) }, function(result)
      proposal.unanswered = proposal.unanswered - 1
      on_answer(proposal, result)
    end)
  end
end

---Sends what was typed last, in all of them.
function M.flush_all()
  for _, proposal in ipairs(require("ide-companion.proposal").waiting) do
    M.flush(proposal)
  end
end

---Acts when the hunks are those of the text as it stands.
---@param proposal ide-companion.Proposal
---@param action fun(proposal: ide-companion.Proposal)
function M.when_compared(proposal, action)
  M.flush(proposal)
  if proposal.unanswered > 0 then
    table.insert(proposal.due, action)
  else
    action(proposal)
  end
end

---@param proposal ide-companion.Proposal
local function soon(proposal)
  if proposal.draft_timer then
    return
  end
  local timer = vim.loop.new_timer()
  proposal.draft_timer = timer
  local delay = wait_ms + math.floor(#proposal.newContent / bytes_per_ms)
  timer:start(
    delay,
    0,
    vim.schedule_wrap(function()
      if proposal.draft_timer == timer then
        M.flush(proposal)
      end
    end)
  )
end

---Sends the text of a proposal from now on, shortly after each change.
---@param proposal ide-companion.Proposal
function M.watch(proposal)
  local function on_change()
    soon(proposal)
  end
  vim.api.nvim_buf_attach(proposal.proposed, false, { on_lines = on_change, on_reload = on_change })
  proposal.last_text = proposal.newContent
  vim.api.nvim_create_autocmd("BufUnload", {
    buffer = proposal.proposed,
    callback = function()
      proposal.last_text = text.get(proposal.proposed)
    end,
  })
end

---Sends what was typed last, and waits until the server has that and every decision, as after `:wqa`: Neovim ends its
---jobs before they have read their input.
local function finish()
  local proposals = require("ide-companion.proposal")
  local waiting = proposals.waiting
  local function any(name)
    return #vim.tbl_filter(function(proposal)
      return proposal[name]
    end, waiting) > 0
  end
  if not any("draft_timer") and not any("deciding") then
    return
  end
  M.flush_all()
  proposals.waiting = {} -- the answers close nothing any more
  local is_received = false
  rpc.request("companion/list", { list = "edits" }, function()
    is_received = true
  end)
  vim.wait(farewell_ms, function()
    return is_received and not any("deciding")
  end, 5)
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  desc = "Send what was typed last into proposals",
  callback = finish,
})

return M
