-- A proposal: two buffers, the file on disk and the proposed text, which is written like a file; and the decision.
local M = {}

local comments = require("ide-companion.comments")
local config = require("ide-companion.config")
local draft = require("ide-companion.draft")
local label = require("ide-companion.label")
local read_only = require("ide-companion.read_only")
local reload = require("ide-companion.reload")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local text = require("ide-companion.text")
local view = require("ide-companion.view")

---@class ide-companion.Proposal
---@field id string
---@field agent string
---@field filePath string
---@field label string
---@field newContent string
---@field original string|userdata `vim.NIL` for a new file
---@field notes string[]
---@field readOnlyReason string|nil Why the user's edits cannot reach the agent.
---@field own_version boolean The user edits it nevertheless.
---@field proposed integer buffer
---@field base integer buffer
---@field name string of the first buffer; `:saveas` gives it another one
---@field view table|nil Its windows.
---@field deciding boolean A decision is on its way.
---@field orphan boolean No agent waits for it any more.
---@field comments ide-companion.Comment[] What the user has written about it.
---@field comment_count integer How many there have been.
---@field draft_timer table|nil Runs while typed text has not been sent.
---@field last_text string Its text when the buffer was unloaded.
---@field on_closed fun() The user has closed it.

---Those that wait for a decision, oldest first.
---@type ide-companion.Proposal[]
M.waiting = {}

local function announce(name, proposal)
  vim.api.nvim_exec_autocmds("User", {
    pattern = "IdeCompanion" .. name,
    modeline = false,
    data = { id = proposal.id, agent = proposal.agent, path = proposal.filePath },
  })
end

---@return boolean whether the user has typed into it
function M.is_edited(proposal)
  return draft.text(proposal) ~= proposal.newContent
end

---Closes a proposal and everything that was opened for it.
function M.remove(proposal)
  M.waiting = vim.tbl_filter(function(other)
    return other ~= proposal
  end, M.waiting)
  draft.flush(proposal)
  view.close(proposal, function()
    label.detach(proposal)
    for _, buffer in ipairs({ proposal.proposed, proposal.base }) do
      text.delete_buffer(buffer)
    end
  end)
end

---Closes a proposal that is not accepted. What the user has typed is saved in a listed buffer that no window shows and
---nothing deletes.
---@param sentence string why it closes
local function remove_and_save_edits(proposal, sentence)
  local edits = M.is_edited(proposal) and draft.text(proposal)
  M.remove(proposal)
  if not edits then
    return say.info(sentence)
  end
  local buffer = text.new_buffer("Your text", proposal.label, edits)
  vim.bo[buffer].buflisted = true
  say.warn(("%s Your edits are saved in buffer %d."):format(sentence, buffer))
end

---@param follow fun(size: integer): boolean from `reload.prepare`
local function on_accepted(proposal, follow, size)
  M.remove(proposal)
  if follow(size) then
    say.warn((":IdeCompanion merge   Accepted; your buffer has unsaved changes: %s"):format(proposal.label))
  else
    say.info(("Accepted: %s."):format(proposal.label))
  end
  announce("DiffAccepted", proposal)
end

---The decision does not count. An accepted proposal stays open.
local function on_refused(proposal, kind, reason)
  if kind == "diffRejected" then
    return remove_and_save_edits(proposal, reason) -- it was decided elsewhere, and its window is closed
  end
  say.warn(reason)
  if vim.api.nvim_buf_is_loaded(proposal.proposed) then
    vim.bo[proposal.proposed].modified = true
    view.open(proposal) -- `:wq` has closed it
  end
end

---Sends the user's decision.
---@param proposal ide-companion.Proposal
---@param kind "diffAccepted"|"diffRejected"
---@param with_comments boolean|nil its agent is to hear the user's comments
function M.decide(proposal, kind, with_comments)
  if proposal.deciding or not vim.tbl_contains(M.waiting, proposal) then
    return
  end
  if proposal.orphan then
    if kind == "diffAccepted" then
      return say.warn("No agent waits for this any more: the companion that asked has ended.")
    end
    return remove_and_save_edits(proposal, "The companion that asked has ended.")
  end
  proposal.deciding = true
  local params = { id = proposal.id }
  local follow = reload.prepare(proposal)
  if kind == "diffAccepted" then
    params.content = draft.text(proposal)
    params.ownVersion = proposal.own_version or nil
  end
  params.comments = with_comments and comments.list(proposal) or nil
  draft.flush(proposal) -- what its agent takes no edits of can be recovered after a rejection
  rpc.request("companion/" .. kind, params, function(result, failure)
    proposal.deciding = false
    if not vim.tbl_contains(M.waiting, proposal) then
      return -- its agent has closed it meanwhile
    elseif failure or not result.taken then
      local reason = failure and failure.message or result.reason
      on_refused(proposal, kind, reason or "The decision does not count.")
    elseif kind == "diffAccepted" then
      on_accepted(proposal, follow, #params.content)
    else
      remove_and_save_edits(proposal, ("Rejected: %s."):format(proposal.label))
      announce("DiffRejected", proposal)
    end
  end)
end

---`:w` in its tab accepts it; `:w other-file` and `:saveas` write a copy of it, as in every buffer. `:wa` and plugins
---that save files decide nothing.
local function on_write(proposal, event)
  if event.file ~= proposal.name then
    local file, failure = io.open(event.file, "wb")
    if not file then
      return say.warn(failure)
    end
    file:write(draft.text(proposal))
    return file:close() and say.info(("Written: %s"):format(event.file))
  elseif not view.is_current(proposal) then
    return say.warn(("The proposal for %s is accepted by :w in its own tab only."):format(proposal.label))
  elseif not proposal.orphan then
    vim.bo[proposal.proposed].modified = false
  end
  M.decide(proposal, "diffAccepted")
end

---`:x` writes only a modified buffer. In a proposal it accepts.
local function on_command_line(proposal)
  if vim.v.event.abort or vim.api.nvim_get_current_buf() ~= proposal.proposed then
    return
  end
  local ok, parsed = pcall(vim.api.nvim_parse_cmd, vim.fn.getcmdline(), {})
  if ok and (parsed.cmd == "xit" or parsed.cmd == "exit") then
    vim.bo[proposal.proposed].modified = true
  end
end

local function watch(proposal)
  local buffer = proposal.proposed
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { buffer = buffer, callback = callback })
  end
  on("BufWriteCmd", function(event)
    on_write(proposal, event)
  end)
  -- `:e!` restores the text of the agent.
  on("BufReadCmd", function()
    text.put(buffer, proposal.newContent)
    read_only.lock(proposal)
    comments.replace(proposal)
  end)
  -- After it is unloaded: until then it cannot be deleted. `:e!` has loaded it again by then.
  on(
    "BufUnload",
    vim.schedule_wrap(function()
      if not vim.api.nvim_buf_is_loaded(buffer) then
        proposal.on_closed()
      end
    end)
  )
  vim.api.nvim_create_autocmd("CmdlineLeave", {
    pattern = ":",
    callback = function()
      -- True removes the autocommand.
      return not vim.api.nvim_buf_is_valid(buffer) or on_command_line(proposal)
    end,
  })
end

---@param params table of `companion/openDiff`
---@return ide-companion.Proposal
local function create(params)
  local proposal = vim.tbl_extend("force", params, { deciding = false, orphan = false, own_version = false })
  proposal.comments, proposal.comment_count = {}, 0
  local original = params.original == vim.NIL and "" or params.original
  proposal.base = text.new_buffer("On disk", params.label, original)
  vim.bo[proposal.base].modifiable = false
  proposal.proposed = text.new_buffer(params.agent, params.label, params.newContent)
  proposal.name = vim.fn.bufname(proposal.proposed)
  vim.bo[proposal.proposed].buftype = "acwrite"
  read_only.lock(proposal)
  vim.b[proposal.proposed].ide_companion = { agent = params.agent, path = params.filePath }
  proposal.on_closed = function()
    -- The end of Neovim closes everything, and decides nothing.
    if vim.v.exiting == vim.NIL then
      M.decide(proposal, "diffRejected")
    end
  end
  watch(proposal)
  draft.watch(proposal)
  return proposal
end

---`companion/openDiff`
function M.open(params)
  local agent = require("ide-companion.server").agent_of(params.agent)
  if agent and vim.tbl_contains(config.options.diff.in_browser, agent.name) then
    error(("proposals of %s open in the browser, by your option"):format(agent.displayName), 0)
  end
  local proposal = create(params)
  M.waiting[#M.waiting + 1] = proposal
  local ok, failure = pcall(view.open_when_possible, proposal)
  if not ok then
    M.remove(proposal)
    error(failure, 0) -- the review page shows it instead
  end
  say.info((":IdeCompanion diff   %s proposes %s"):format(proposal.agent, proposal.label), function()
    return vim.tbl_contains(M.waiting, proposal)
  end)
  announce("DiffOpened", proposal)
  return vim.NIL
end

---Orphans are left out: the next server counts from 1 again.
---@return ide-companion.Proposal|nil
function M.find(id)
  for _, proposal in ipairs(M.waiting) do
    if proposal.id == id and not proposal.orphan then
      return proposal
    end
  end
end

local function expect(id)
  return M.find(id) or error(("no diff %s is open"):format(id), 0)
end

---`companion/closeDiff`
function M.close(params)
  local proposal = expect(params.id)
  local content = draft.text(proposal)
  M.remove(proposal)
  announce("DiffClosed", proposal)
  return { content = content }
end

---`companion/readDiff`
function M.read(params)
  return { content = draft.text(expect(params.id)) }
end

return M
