-- A buffer with unsaved changes whose file an agent writes after an acceptance. Neither text may be lost: until both
-- are merged, `:w` does not write, and no question offers to discard one of them.
local M = {}

local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local text = require("ide-companion.text")

local api = vim.api

---@class ide-companion.Conflict
---@field agent string
---@field path string
---@field before string|userdata what the file was before; `vim.NIL` when there was none
---@field is_merged boolean the buffer has what the agent has written
---@field group integer of its autocommands

---@type table<integer, ide-companion.Conflict> by buffer
local held = {}

---@param buffer integer
function M.release(buffer)
  local conflict = held[buffer]
  if not conflict then
    return
  end
  held[buffer] = nil
  api.nvim_del_augroup_by_id(conflict.group)
end

---Writes as Vim does, with the autocommands of others.
local function write(event, bang)
  local args = event.file ~= vim.fn.bufname(event.buf) and { vim.fn.fnameescape(event.file) } or {}
  vim.cmd.write({ args = args, bang = bang, mods = { keepalt = true } })
end

---Runs instead of writing.
local function on_write(event)
  local buffer = event.buf
  local conflict = held[buffer]
  local is_elsewhere = event.file ~= vim.fn.bufname(buffer)
  if not is_elsewhere and not conflict.is_merged and vim.v.cmdbang == 0 then
    return say.warn(
      ("%s's change is not in this buffer   :IdeCompanion merge, or :w! to write over it"):format(conflict.agent)
    )
  end
  api.nvim_clear_autocmds({ group = conflict.group, event = "BufWriteCmd" })
  local ok, failure = pcall(write, event, not is_elsewhere or vim.v.cmdbang == 1)
  if not ok then
    say.error((tostring(failure):gsub("^.-Vim%(write%):", "")))
  end
  if ok and not is_elsewhere then
    return M.release(buffer)
  end
  M.guard(buffer)
end

---@param buffer integer
function M.guard(buffer)
  api.nvim_create_autocmd("BufWriteCmd", {
    group = held[buffer].group,
    buffer = buffer,
    nested = true,
    callback = on_write,
  })
end

---Protects the file: `:w` in the buffer no longer overwrites the text of the agent.
---@param buffer integer
---@param proposal ide-companion.Proposal
function M.hold(buffer, proposal)
  local former = held[buffer]
  M.release(buffer)
  local group = api.nvim_create_augroup("ide-companion-conflict-" .. buffer, {})
  held[buffer] = {
    agent = proposal.agent,
    path = proposal.filePath,
    -- Changes that are apart since an earlier acceptance have been made to the text of then.
    before = former and not former.is_merged and former.before or proposal.original,
    is_merged = false,
    group = group,
  }
  M.guard(buffer)
  local function on(events, callback)
    api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = callback })
  end
  on("FileChangedShell", function()
    vim.v.fcs_choice = vim.bo[buffer].modified and "" or "reload"
  end)
  -- `:e!` loads the text of the file.
  on({ "BufReadPost", "BufUnload" }, function()
    M.release(buffer)
  end)
end

---The agent has written.
---@param buffer integer
---@param params table of `companion/fileWritten`
function M.written(buffer, params)
  if held[buffer] then
    local news = "%s has written %s, your buffer has unsaved changes   :IdeCompanion merge"
    say.warn(news:format(params.agent, params.label))
  end
end

---Merges the buffer with its file: the current one, or else any that waits for that.
function M.merge()
  local current = api.nvim_get_current_buf()
  local buffer = held[current] and current or next(held)
  if not buffer then
    return say.info("No buffer has unsaved changes over which an accepted proposal was written.")
  end
  local conflict, mine = held[buffer], text.get(buffer)
  local params = { filePath = conflict.path, before = conflict.before, content = mine }
  rpc.ask("companion/merge", params, function(result)
    if held[buffer] ~= conflict or text.get(buffer) ~= mine then
      return say.warn("The buffer has changed meanwhile   :IdeCompanion merge")
    end
    conflict.is_merged = true
    local window = vim.fn.win_findbuf(buffer)[1]
    if window then
      api.nvim_set_current_win(window)
    else
      vim.cmd("hide buffer " .. buffer)
    end
    text.replace(buffer, result.content)
    say.info(
      result.isClean and "Merged: :w saves it, u undoes that"
        or "Both have changed the same lines: choose between the versions, then :w"
    )
  end)
end

return M
