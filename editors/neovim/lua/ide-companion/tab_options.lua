-- Options with another value in a tab that shows a text of this plugin. 'autowrite' and 'autowriteall' are off: `:make`
-- and `:!` would accept a proposal as `:w` does. 'diffopt' hides no difference.
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
local function switch(name, mark, is_on, set)
  if is_on and not off[name] and shows(mark) then
    off[name] = true
    set(false)
  elseif off[name] and not shows(mark) then
    off[name] = nil
    set(true)
  end
end

local function update()
  for _, name in ipairs(switches) do
    switch(name, "ide_companion", vim.o[name], function(value)
      vim.o[name] = value
    end)
  end
  for _, flag in ipairs(hiding) do
    switch(flag, "ide_companion_text", vim.tbl_contains(vim.opt.diffopt:get(), flag), function(value)
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
