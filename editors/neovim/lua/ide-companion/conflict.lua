-- A buffer with unsaved changes whose file an agent writes after an acceptance. Neither text may be lost: until the
-- user has seen both, `:w` does not write, and no question offers to discard one of them.
local M = {}

local comparison = require("ide-companion.comparison")
local say = require("ide-companion.say")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api

---@class ide-companion.Conflict
---@field agent string
---@field label string
---@field group integer of its autocommands
---@field on_disk integer|nil buffer with the text of the file, while both are compared
---@field window integer|nil where the buffer is compared with it

---@type table<integer, ide-companion.Conflict> by buffer
local held = {}

local function close_comparison(buffer, conflict)
  local on_disk, window = conflict.on_disk, conflict.window
  conflict.on_disk, conflict.window = nil, nil
  if on_disk and api.nvim_buf_is_valid(on_disk) then
    api.nvim_buf_delete(on_disk, { force = true }) -- this closes its window
  end
  if window and #vim.fn.win_findbuf(buffer) > 1 then
    windows.close(window, buffer)
  end
end

---@param buffer integer
function M.release(buffer)
  local conflict = held[buffer]
  if not conflict then
    return
  end
  held[buffer] = nil
  api.nvim_del_augroup_by_id(conflict.group)
  vim.schedule(function()
    close_comparison(buffer, conflict)
  end)
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
  local is_seen = conflict.on_disk ~= nil or vim.v.cmdbang == 1
  if not is_elsewhere and not is_seen then
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
---@param proposal { agent: string, label: string }
function M.hold(buffer, proposal)
  M.release(buffer)
  local group = api.nvim_create_augroup("ide-companion-conflict-" .. buffer, {})
  held[buffer] = { agent = proposal.agent, label = proposal.label, group = group }
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
  if not held[buffer] then
    M.hold(buffer, params)
  end
  local news = "%s has written %s, your buffer has unsaved changes   :IdeCompanion merge"
  say.warn(news:format(params.agent, params.label))
end

---Shows the text of the file next to the buffer, as a diff.
local function compare(buffer, conflict)
  local path = api.nvim_buf_get_name(buffer)
  local content = text.read(path)
  if not content then
    return say.error(("%s cannot be read"):format(path))
  end
  local on_disk, mine = comparison.open({
    path = path,
    label = conflict.label,
    left = { whose = "On disk", content = content, winbar = "On disk, with the accepted change" },
    right = { buffer = buffer, winbar = ":w saves this side  do copies the other" },
    keys = {},
  })
  conflict.on_disk, conflict.window = on_disk, mine
  api.nvim_create_autocmd("BufWipeout", {
    buffer = conflict.on_disk,
    callback = function()
      conflict.on_disk, conflict.window = nil, nil
      if api.nvim_win_is_valid(mine) then
        api.nvim_win_call(mine, vim.cmd.diffoff)
        windows.set(mine, "winbar", "")
      end
    end,
  })
end

---Compares the buffer with its file: the current one, or else any that waits for that.
function M.merge()
  local current = api.nvim_get_current_buf()
  local buffer = held[current] and current or next(held)
  if not buffer then
    return say.info("No buffer has unsaved changes over which an accepted proposal was written.")
  end
  local shown = held[buffer].on_disk
  if shown and #vim.fn.win_findbuf(shown) > 0 then
    return api.nvim_set_current_win(vim.fn.win_findbuf(shown)[1])
  end
  compare(buffer, held[buffer])
end

return M
