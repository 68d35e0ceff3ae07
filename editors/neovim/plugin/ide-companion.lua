-- Everything that is loaded at the start: a command, and an autocommand for the first file.
if vim.g.loaded_ide_companion then
  return
end
vim.g.loaded_ide_companion = true

if vim.fn.has("nvim-0.9") == 0 then
  vim.notify("ide-companion needs Neovim 0.9 or newer", vim.log.levels.WARN)
  return
end

vim.api.nvim_create_user_command("IdeCompanion", function(call)
  require("ide-companion.command").run(call)
end, {
  nargs = "*",
  range = true,
  bar = true,
  desc = "Review what agent CLIs propose, and start them",
  complete = function(...)
    return require("ide-companion.command").complete(...)
  end,
})

-- A session that was saved while a proposal waited has its tab.
vim.api.nvim_create_autocmd("SessionLoadPost", {
  desc = "Close what is left of proposals in a session",
  callback = vim.schedule_wrap(function()
    require("ide-companion.windows").close_restored()
  end),
})

local function start()
  require("ide-companion").auto_start()
end

---A Neovim without a user interface does not start the companion.
local function start_with_ui()
  if vim.v.vim_did_enter == 1 and #vim.api.nvim_list_uis() > 0 then
    vim.schedule(start)
  else
    vim.api.nvim_create_autocmd("UIEnter", { once = true, callback = vim.schedule_wrap(start) })
  end
end

-- A plugin manager may load this after the first file.
if vim.v.vim_did_enter == 1 and vim.api.nvim_buf_get_name(0) ~= "" then
  start_with_ui()
else
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "TermOpen" }, {
    desc = "Start ide-companion with the first file",
    once = true,
    callback = start_with_ui,
  })
end
