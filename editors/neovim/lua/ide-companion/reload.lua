-- After a proposal is accepted its agent writes the file. Then the buffer is reloaded.
local M = {}

local conflict = require("ide-companion.conflict")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local check_every_ms, give_up_ms = 100, 15000
-- A file that is shorter than the accepted text is written when it has not changed for so many checks.
local settled = 10

---@return string empty when there is no file
local function stamp_of(path)
  local stat = vim.loop.fs_stat(path)
  return stat and ("%d.%d %d %d"):format(stat.mtime.sec, stat.mtime.nsec, stat.size, stat.ino) or ""
end

---The text under the cursor must not change in Insert mode and similar modes.
local function is_free(buffer)
  return buffer ~= vim.api.nvim_get_current_buf() or vim.api.nvim_get_mode().mode == "n"
end

---@param was_there boolean whether the file existed when it was accepted
local function reload(buffer, was_there)
  if was_there then
    vim.cmd.checktime({ args = { tostring(buffer) } })
  else
    -- `:checktime` asks a question when the file is new.
    vim.api.nvim_buf_call(buffer, function()
      vim.cmd("silent edit")
    end)
  end
end

---The user has just accepted this change, so an unmodified buffer is reloaded without a question.
local function answer_questions(buffer)
  return vim.api.nvim_create_autocmd("FileChangedShell", {
    buffer = buffer,
    callback = function()
      vim.v.fcs_choice = vim.bo[buffer].modified and "" or "reload"
    end,
  })
end

---@param proposal ide-companion.Proposal
---@param buffer integer
---@param before string
---@param size integer bytes of the accepted text
local function watch(proposal, buffer, before, size)
  local answer = answer_questions(buffer)
  local timer, deadline = vim.loop.new_timer(), vim.loop.now() + give_up_ms
  local last, same = before, 0
  local function stop()
    timer:close()
    pcall(vim.api.nvim_del_autocmd, answer) -- it is gone when the buffer is gone
  end
  local function check()
    if timer:is_closing() then
      return
    elseif not vim.api.nvim_buf_is_loaded(buffer) then
      return stop()
    end
    local stamp = stamp_of(proposal.filePath)
    last, same = stamp, stamp == last and same + 1 or 0
    -- Agents empty a file before they write it.
    local has_changed = stamp ~= before and (same >= settled or vim.fn.getfsize(proposal.filePath) >= size)
    if has_changed and vim.bo[buffer].modified then
      conflict.written(buffer)
      stop()
    elseif has_changed and is_free(buffer) then
      windows.try(reload, buffer, before ~= "")
      stop()
    elseif not has_changed and vim.loop.now() > deadline then
      conflict.release(buffer)
      stop()
    end
  end
  timer:start(0, check_every_ms, vim.schedule_wrap(check))
end

---Reads the state of the file before the decision is sent: an agent may write the file at once.
---@param proposal ide-companion.Proposal
---@return fun(size: integer) call it with the size of the accepted text in bytes when the acceptance is confirmed
function M.prepare(proposal)
  local buffer = text.buffer_of(proposal.filePath)
  local before = stamp_of(proposal.filePath)
  return function(size)
    if buffer < 0 or not vim.api.nvim_buf_is_loaded(buffer) then
      return
    elseif vim.bo[buffer].modified then
      conflict.hold(buffer, proposal)
    end
    watch(proposal, buffer, before, size)
  end
end

return M
