-- The options 'autowrite' and 'autowriteall' are off in the tab of a proposal: `:make` and `:!` would accept it as `:w`
-- does.
local M = {}

local api = vim.api

-- Those that were on.
local off = {}

---@return boolean whether the current tab shows a proposal
local function shows_proposal()
  for _, window in ipairs(api.nvim_tabpage_list_wins(0)) do
    if vim.b[api.nvim_win_get_buf(window)].ide_companion then
      return true
    end
  end
  return false
end

local function update()
  local wanted = not shows_proposal()
  for _, name in ipairs({ "autowrite", "autowriteall" }) do
    if wanted and off[name] then
      vim.o[name], off[name] = true, nil
    elseif not wanted and vim.o[name] then
      vim.o[name], off[name] = false, true
    end
  end
end

---Follows the user from tab to tab, from now on.
function M.watch()
  api.nvim_create_autocmd({ "WinEnter", "BufEnter" }, {
    group = api.nvim_create_augroup("ide-companion-autowrite", {}),
    callback = update,
  })
end

return M
