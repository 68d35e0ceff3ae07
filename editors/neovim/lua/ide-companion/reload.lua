-- After a proposal is accepted its agent writes the file: the buffer follows as soon as that has happened.
local M = {}

local look_every_ms, give_up_ms = 100, 15000

---Loads the file's buffer anew once the file has changed. One with unsaved edits is left to its user.
---@param path string
function M.when_written(path)
  local buffer = vim.fn.bufnr("^" .. vim.fn.escape(path, "\\*?[]{},") .. "$")
  if buffer < 0 or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  local watch = vim.loop.new_fs_poll()
  local function stop()
    if not watch:is_closing() then
      watch:close()
    end
  end
  watch:start(
    path,
    look_every_ms,
    vim.schedule_wrap(function()
      stop()
      if vim.api.nvim_buf_is_valid(buffer) and not vim.bo[buffer].modified then
        vim.cmd.checktime({ args = { tostring(buffer) } })
      end
    end)
  )
  vim.defer_fn(stop, give_up_ms)
end

return M
