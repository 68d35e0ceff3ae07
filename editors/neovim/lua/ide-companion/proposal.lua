-- A proposal as two buffers: the file on disk, read-only, and the proposed text, which is written like a file.
local M = {}

local text = require("ide-companion.text")

---@class ide-companion.Proposal
---@field id string
---@field agent string
---@field filePath string
---@field label string
---@field newContent string
---@field original string|userdata `vim.NIL` for a new file
---@field notes string[]
---@field proposed integer buffer
---@field base integer buffer
---@field view table|nil Its windows.
---@field deciding boolean A decision is on its way.
---@field orphan boolean No agent waits for it any more.
---@field draft_timer table|nil Runs while typed text has not been sent.
---@field on_write fun() The user has written it.
---@field on_closed fun() The user has closed it.

-- Highlighting a larger text takes too long.
local largest_highlighted = 1024 * 1024

---`:w` decides about the proposal; `:w other-file` writes a copy of it, as in every buffer.
local function on_write(proposal, event)
  if event.file == vim.fn.bufname(proposal.proposed) then
    return proposal.on_write()
  end
  vim.cmd.write({
    args = { vim.fn.fnameescape(event.file) },
    bang = vim.v.cmdbang == 1,
    mods = { noautocmd = true, keepalt = true },
  })
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
      if not vim.api.nvim_buf_is_valid(buffer) then
        return true -- removes the autocommand
      end
      on_command_line(proposal)
    end,
  })
end

---@param params table of `companion/openDiff`
---@return ide-companion.Proposal
function M.create(params)
  local proposal = vim.tbl_extend("force", params, { deciding = false, orphan = false })
  local original = params.original == vim.NIL and "" or params.original
  proposal.base = text.new_buffer("On disk", params.label, original)
  vim.bo[proposal.base].modifiable = false
  proposal.proposed = text.new_buffer(params.agent, params.label, params.newContent)
  vim.bo[proposal.proposed].buftype = "acwrite"
  vim.bo[proposal.proposed].modified = false
  vim.b[proposal.proposed].ide_companion = { agent = params.agent, path = params.filePath }
  watch(proposal)
  return proposal
end

---@return boolean whether the user has typed into it
function M.is_edited(proposal)
  return vim.api.nvim_buf_is_loaded(proposal.proposed) and vim.bo[proposal.proposed].modified
end

---Sets the highlighting and options of the file, by its autocommands.
function M.set_filetype(proposal)
  if #proposal.newContent > largest_highlighted then
    return
  end
  local filetype = vim.filetype.match({ filename = proposal.filePath, buf = proposal.proposed })
  if filetype then
    for _, buffer in ipairs({ proposal.base, proposal.proposed }) do
      vim.bo[buffer].filetype = filetype
    end
  end
end

function M.delete(proposal)
  for _, buffer in ipairs({ proposal.proposed, proposal.base }) do
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.api.nvim_buf_delete(buffer, { force = true })
    end
  end
end

return M
