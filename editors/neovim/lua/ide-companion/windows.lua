-- Windows of this plugin, among the windows of the user.
local M = {}

local log = require("ide-companion.log")

local api = vim.api

-- In these modes another tab may open for a moment without disturbing the user.
local calm = { n = true, i = true, R = true, t = true, nt = true }

-- How often to check whether they are.
local check_every_ms = 50

---@return boolean whether another window may be the current one for a moment, without the user noticing
function M.are_calm()
  local mode = api.nvim_get_mode()
  return not mode.blocking and calm[mode.mode] == true and vim.fn.getcmdwintype() == ""
end

---Runs a function at once, or as soon as it is time.
---@param is_time fun(): boolean
---@return boolean whether it waits
function M.when(is_time, action)
  if is_time() then
    action()
    return false
  end
  local timer = vim.loop.new_timer()
  timer:start(
    check_every_ms,
    check_every_ms,
    vim.schedule_wrap(function()
      if not timer:is_closing() and is_time() then
        timer:close()
        action()
      end
    end)
  )
  return true
end

-- Modes in which the user types text, or acts on a selection.
local typing = "^[iRvV\22sS\19]"
local typing_after_a_command = "^ni"

---@param buffers integer[]
---@return boolean whether a key that is meant for one of them could reach another buffer, if they closed
function M.is_typed_in(buffers)
  if vim.fn.getcmdwintype() ~= "" then
    return true -- no window can be closed there
  end
  local mode = api.nvim_get_mode()
  return (mode.mode ~= "n" or mode.blocking) and vim.tbl_contains(buffers, api.nvim_get_current_buf())
end

---Runs a function that closes the windows of some buffers: at once, or when the user has finished the command that is
---being typed there, or has left the command-line window. The user, who has decided, types no more text there.
---@param buffers integer[]
function M.when_left(buffers, action)
  M.when(function()
    local mode, is_left = api.nvim_get_mode().mode, not M.is_typed_in(buffers)
    local is_text = mode:find(typing) or mode:find(typing_after_a_command)
    if not is_left and is_text and vim.fn.getcmdwintype() == "" then
      api.nvim_feedkeys("\28\14", "n", false) -- CTRL-\ CTRL-N
    end
    return is_left
  end, action)
end

---Runs a function without the user's autocommands, and returns to the current window. The tab before the current one
---stays the same.
function M.in_background(action)
  local window, ignored, lazy = api.nvim_get_current_win(), vim.o.eventignore, vim.o.lazyredraw
  local last = M.of_last_tab()
  vim.o.eventignore, vim.o.lazyredraw = "all", true
  local ok, failure = pcall(action)
  for _, visited in ipairs({ last or window, window }) do
    if api.nvim_win_is_valid(visited) then
      api.nvim_set_current_win(visited)
    end
  end
  vim.o.eventignore, vim.o.lazyredraw = ignored, lazy
  if not ok then
    error(failure, 0)
  end
end

---Wipes out the buffers that a session has restored without a text: `Gemini CLI: main.ts` and `On disk: main.ts`. Their
---`:w` would write files of these names.
function M.close_restored()
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    local is_used = vim.b[buffer].ide_companion_text or vim.fn.getftype(api.nvim_buf_get_name(buffer)) ~= ""
    local is_ours = vim.fn.fnamemodify(vim.fn.bufname(buffer), ":t"):find("^%S.*%S: %S") ~= nil
    if is_ours and not is_used and not vim.bo[buffer].modified and api.nvim_buf_get_offset(buffer, 1) <= 1 then
      M.try(api.nvim_buf_delete, buffer, { force = true })
    end
  end
end

---@return boolean whether a window exists and shows this buffer
function M.shows(window, buffer)
  return window ~= nil and api.nvim_win_is_valid(window) and api.nvim_win_get_buf(window) == buffer
end

---Sets an option of one window only.
function M.set(window, name, value)
  api.nvim_set_option_value(name, value, { win = window, scope = "local" })
end

---The window in which the user was before the current tab.
---@return integer|nil
function M.of_last_tab()
  local tab = api.nvim_list_tabpages()[vim.fn.tabpagenr("#")]
  return tab and api.nvim_tabpage_get_win(tab)
end

---Runs what the user's autocommands follow. Theirs may fail: that is logged, and stops nothing.
---@return boolean whether nothing has failed
function M.try(action, ...)
  local ok, failure = pcall(action, ...)
  if not ok then
    log.add(tostring(failure))
  end
  return ok
end

---Closes a window, unless it shows another buffer now.
function M.close(window, buffer)
  if not M.shows(window, buffer) or M.try(api.nvim_win_close, window, true) or not M.shows(window, buffer) then
    return
  end
  -- The last window stays open with an empty buffer.
  M.try(api.nvim_win_call, window, function()
    vim.cmd.diffoff()
    vim.cmd.enew()
  end)
  M.set(window, "winbar", "")
  M.set(window, "winhighlight", "")
end

return M
