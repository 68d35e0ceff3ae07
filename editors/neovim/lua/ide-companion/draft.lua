-- Sends what the user types in a proposal to the companion, which stores it on disk and says where it differs from the
-- file.
local M = {}

local rpc = require("ide-companion.rpc")
local text = require("ide-companion.text")

-- A large text is sent less often, because building it blocks the editor for a moment.
local wait_ms, bytes_per_ms = 50, 4096
-- How long Neovim waits for a server that does not answer, before a prompt and at its end.
local farewell_ms = 1000

---@param proposal ide-companion.Proposal
---@return string its text as it stands, or as it was when its buffer was unloaded, as by `:q!`
function M.text(proposal)
  return vim.api.nvim_buf_is_loaded(proposal.proposed) and text.get(proposal.proposed) or proposal.last_text
end

local function stop(proposal)
  if proposal.draft_timer then
    proposal.draft_timer:close()
    proposal.draft_timer = nil
  end
end

---Sends the text, and takes from the answer where it differs from the file. What is drawn stays until the answer about
---the last key.
---@param on_answer fun()|nil
local function send(proposal, on_answer)
  local buffer = proposal.proposed
  local tick = vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_changedtick(buffer)
  stop(proposal)
  rpc.request("companion/draft", { id = proposal.id, content = M.text(proposal) }, function(result)
    if not result or result == vim.NIL or not vim.api.nvim_buf_is_loaded(buffer) then
      return
    end
    if tick == vim.api.nvim_buf_get_changedtick(buffer) then
      proposal.compared, proposal.hunks, proposal.facts = tick, result.hunks, result.facts
      proposal.comments = result.comments
      require("ide-companion.view").on_compared(proposal)
    end
    if on_answer then
      on_answer()
    end
  end)
end

---Sends text that has not been sent.
---@param proposal ide-companion.Proposal
function M.flush(proposal)
  if proposal.draft_timer and not proposal.ended then
    send(proposal)
  end
  stop(proposal)
end

---Sends what was typed last, in all of them.
function M.flush_all()
  for _, proposal in ipairs(require("ide-companion.proposal").waiting) do
    M.flush(proposal)
  end
end

---Acts when the hunks are those of the text as it stands; never where no agent waits any more.
---@param proposal ide-companion.Proposal
---@param action fun(proposal: ide-companion.Proposal)
function M.when_compared(proposal, action)
  if proposal.compared == vim.api.nvim_buf_get_changedtick(proposal.proposed) then
    return action(proposal)
  elseif not proposal.ended then
    send(proposal, function()
      M.when_compared(proposal, action)
    end)
  end
end

---Waits until the hunks and the comments are those of the text as it stands: what is typed next is for a prompt.
---@param proposal ide-companion.Proposal
function M.wait(proposal)
  M.flush(proposal)
  vim.wait(farewell_ms, function()
    return proposal.ended or proposal.compared == vim.api.nvim_buf_get_changedtick(proposal.proposed)
  end, 5)
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
  proposal.compared = vim.api.nvim_buf_get_changedtick(proposal.proposed)
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
