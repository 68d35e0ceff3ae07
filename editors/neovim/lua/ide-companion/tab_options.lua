-- Options with another value in some tabs. In the tab of a proposal 'autowrite' and 'autowriteall' are off: `:make` and
-- `:!` would accept the proposal as `:w` does. In the tab of any text of this plugin 'diffopt' hides no difference.
local M = {}

local api = vim.api

local hiding = { "iblank", "icase", "iwhite", "iwhiteall", "iwhiteeol" }

-- Switches that were on, and values that 'diffopt' had.
local switches, flags = {}, {}

---@param mark string a variable of buffers
---@return boolean whether the current tab shows a buffer with this mark
local function shows(mark)
  return #vim.tbl_filter(function(window)
    return vim.b[api.nvim_win_get_buf(window)][mark] ~= nil
  end, api.nvim_tabpage_list_wins(0)) > 0
end

local function update()
  local has_proposal, has_text = shows("ide_companion"), shows("ide_companion_text")
  for _, name in ipairs({ "autowrite", "autowriteall" }) do
    if has_proposal and vim.o[name] then
      vim.o[name], switches[name] = false, true
    elseif not has_proposal and switches[name] then
      vim.o[name], switches[name] = true, nil
    end
  end
  local set = vim.opt.diffopt:get()
  for _, flag in ipairs(hiding) do
    if has_text and vim.tbl_contains(set, flag) then
      vim.opt.diffopt:remove(flag)
      flags[flag] = true
    elseif not has_text and flags[flag] then
      vim.opt.diffopt:append(flag)
      flags[flag] = nil
    end
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
