-- An agent writes a file, and the server says when. Then the buffer is reloaded.
local M = {}

local conflict = require("ide-companion.conflict")
local rpc = require("ide-companion.rpc")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local group = vim.api.nvim_create_augroup("ide-companion-reload", {})

---@param is_new boolean whether there was no file before
---@param answer table of `companion/merge`: lines that differ are changed alone, so that cursors, folds and marks stay
---with their text when all of it is read
local function reload(buffer, is_new, answer)
  if #(answer.edits or {}) > 0 then
    text.change(buffer, answer.content, answer.edits)
    vim.bo[buffer].modified = false
  end
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

---The agent has not asked: only the file itself says whether it has changed since it was read.
local function hold_if_written(buffer, params)
  local is_written = false
  vim.api.nvim_create_autocmd("FileChangedShell", {
    group = group,
    buffer = buffer,
    callback = function()
      is_written, vim.v.fcs_choice = true, ""
    end,
  })
  vim.cmd.checktime({ args = { tostring(buffer) } })
  if is_written and params.before then
    conflict.hold(buffer, { agent = params.agent, filePath = params.filePath, original = params.before })
    conflict.written(buffer, params)
  end
end

---Reloads a buffer without unsaved changes.
local function follow(buffer, params)
  local mine, tick = text.get(buffer), vim.api.nvim_buf_get_changedtick(buffer)
  local request = { filePath = params.filePath, before = mine, content = mine }
  rpc.request("companion/merge", request, function(answer)
    -- The text under the cursor must not change in Insert mode and similar modes.
    windows.when(function()
      return buffer ~= vim.api.nvim_get_current_buf() or vim.api.nvim_get_mode().mode == "n"
    end, function()
      if not vim.api.nvim_buf_is_loaded(buffer) then
        return
      elseif vim.bo[buffer].modified then
        return M.written(params)
      end
      local is_same = vim.api.nvim_buf_get_changedtick(buffer) == tick
      windows.try(reload, buffer, params.isNew, is_same and answer or {})
      stop_answering(buffer)
    end)
  end)
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
    if params.id == "" then
      hold_if_written(buffer, params)
    else
      conflict.written(buffer, params)
    end
    stop_answering(buffer)
  else
    answer_questions(buffer)
    follow(buffer, params)
  end
end

return M
