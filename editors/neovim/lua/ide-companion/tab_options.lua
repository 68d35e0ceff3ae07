-- Options with another value in some tabs. In the tab of a proposal 'autowrite' and 'autowriteall' are off: `:make` and
-- `:!` would accept the proposal as `:w` does. In the tab of any text of this plugin 'diffopt' hides no difference.
local M = {}

local api = vim.api

local switches = { "autowrite", "autowriteall" }
local hiding = { "iblank", "icase", "iwhite", "iwhiteall", "iwhiteeol" }

-- Switches that were on, and values that 'diffopt' had.
local off = {}

---@param mark string a variable of buffers
---@return boolean whether the current tab shows a buffer with this mark
local function shows(mark)
  for _, window in ipairs(api.nvim_tabpage_list_wins(0)) do
    if vim.b[api.nvim_win_get_buf(window)][mark] then
      return true
    end
  end
  return false
end

---@param is_on boolean
---@param is_ours boolean whether the option has its other value in the current tab
---@param set fun(value: boolean)
local function switch(name, is_on, is_ours, set)
  if is_on and is_ours and not off[name] then
    off[name] = true
    set(false)
  elseif off[name] and not is_ours then
    off[name] = nil
    set(true)
  end
end

local function update()
  local has_proposal, has_text = shows("ide_companion"), shows("ide_companion_text")
  for _, name in ipairs(switches) do
    switch(name, vim.o[name], has_proposal, function(value)
      vim.o[name] = value
    end)
  end
  local flags = vim.opt.diffopt:get()
  for _, flag in ipairs(hiding) do
    switch(flag, vim.tbl_contains(flags, flag), has_text, function(value)
      vim.cmd.set(("diffopt%s=%s"):format(value and "+" or "-", flag))
    end)
  end
end

---Follows the user from tab to tab, from now on.
function M.watch()
  api.nvim_create_autocmd({ "WinEnter", "BufEnter" }, {
    group = api.nvim_create_augroup("ide-companion-tab-options", {}),
    callback = update,
  })
end

return M
