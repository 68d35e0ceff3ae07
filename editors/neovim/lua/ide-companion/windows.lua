-- Windows that are ours, among those that are the user's.
local M = {}

local api = vim.api

-- In these modes another tab may be opened for a moment without the user losing what they are at.
local calm = { n = true, i = true, R = true, t = true, nt = true }

---@return boolean whether the user would not notice that for a moment another window is the current one
function M.are_calm()
  local mode = api.nvim_get_mode()
  return not mode.blocking and calm[mode.mode] == true and vim.fn.getcmdwintype() == ""
end

---Does something without autocommands of the user's, and comes back to where they are.
function M.behind_the_back(action)
  local window, ignored, lazy = api.nvim_get_current_win(), vim.o.eventignore, vim.o.lazyredraw
  vim.o.eventignore, vim.o.lazyredraw = "all", true
  local ok, failure = pcall(action)
  if api.nvim_win_is_valid(window) then
    api.nvim_set_current_win(window)
  end
  vim.o.eventignore, vim.o.lazyredraw = ignored, lazy
  if not ok then
    error(failure, 0)
  end
end

---@return boolean whether a window is there and has this buffer in it
function M.shows(window, buffer)
  return window ~= nil and api.nvim_win_is_valid(window) and api.nvim_win_get_buf(window) == buffer
end

---Sets an option of a window, and not for windows to come.
function M.set(window, name, value)
  api.nvim_set_option_value(name, value, { win = window, scope = "local" })
end

local own_options

---A window is born with the options of that which was split: a diff, a terminal, a file tree. Ours is to have
---those that the user has set for all.
function M.forget_options(window)
  if not own_options then
    own_options = {}
    for name, info in pairs(api.nvim_get_all_options_info()) do
      if info.scope == "win" and not info.global_local then
        own_options[#own_options + 1] = name
      end
    end
  end
  for _, name in ipairs(own_options) do
    local value = api.nvim_get_option_value(name, { scope = "global" })
    if api.nvim_get_option_value(name, { win = window }) ~= value then
      M.set(window, name, value)
    end
  end
end

---The window that the user was in before the current tab.
---@return integer|nil
function M.of_last_tab()
  local tab = api.nvim_list_tabpages()[vim.fn.tabpagenr("#")]
  return tab and api.nvim_tabpage_get_win(tab)
end

---Closes a window, unless the user has something else in it.
function M.close(window, buffer)
  if not M.shows(window, buffer) or pcall(api.nvim_win_close, window, true) then
    return
  end
  -- The last window of all: something has to be in it.
  api.nvim_win_call(window, function()
    vim.cmd.diffoff()
    vim.cmd.enew()
  end)
  M.set(window, "winbar", "")
  M.set(window, "winhighlight", "")
end

return M
