-- After a proposal is accepted its agent writes the file, and the server says when. Then the buffer is reloaded.
local M = {}

local conflict = require("ide-companion.conflict")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local group = vim.api.nvim_create_augroup("ide-companion-reload", {})

---@param is_new boolean whether there was no file before
local function reload(buffer, is_new)
  if not is_new then
    vim.cmd.checktime({ args = { tostring(buffer) } })
  else
    -- `:checktime` asks a question when the file is new.
    vim.api.nvim_buf_call(buffer, function()
      vim.cmd("silent edit")
    end)
  end
end

local function stop_answering(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  end
end

---The user has just accepted this change, so an unmodified buffer is reloaded without a question.
local function answer_questions(buffer)
  stop_answering(buffer)
  vim.api.nvim_create_autocmd("FileChangedShell", {
    group = group,
    buffer = buffer,
    callback = function()
      vim.v.fcs_choice = vim.bo[buffer].modified and "" or "reload"
    end,
  })
end

---The agent of a proposal that is accepted is about to write the file.
---@param proposal ide-companion.Proposal
function M.expect(proposal)
  local buffer = text.buffer_of(proposal.filePath)
  if buffer < 0 or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  elseif vim.bo[buffer].modified then
    conflict.hold(buffer, proposal)
  end
  answer_questions(buffer)
end

---`companion/fileWritten`
function M.written(params)
  local buffer = text.buffer_of(params.filePath)
  if buffer < 0 or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  elseif not params.isWritten then
    conflict.release(buffer)
    stop_answering(buffer)
  elseif vim.bo[buffer].modified then
    conflict.written(buffer, params)
    stop_answering(buffer)
  else
    answer_questions(buffer)
    -- The text under the cursor must not change in Insert mode and similar modes.
    windows.when(function()
      return buffer ~= vim.api.nvim_get_current_buf() or vim.api.nvim_get_mode().mode == "n"
    end, function()
      windows.try(reload, buffer, params.isNew)
      stop_answering(buffer)
    end)
  end
end

return M
