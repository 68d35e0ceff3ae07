local harness = require("harness")
local test, same = harness.test, harness.same

---A proposal in which the user types while a plugin saves.
local function type_with_autosave(child, plugin)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:lua(plugin)
  child:keys("Gohalf<Esc>")
  child:lua("vim.wait(60)")
  child:keys("oan edit<Esc>")
  child:lua("vim.wait(60)")
end

local plugins = {
  ["in an autocommand"] = [[
    vim.api.nvim_create_autocmd("InsertLeave", { nested = true, callback = function() vim.cmd("silent! write") end })
  ]],
  ["of all files"] = [[
    vim.api.nvim_create_autocmd("TextChanged", { nested = true, callback = function() vim.cmd("silent! wall") end })
  ]],
  ["after a moment"] = [[
    vim.api.nvim_create_autocmd("InsertLeave", {
      callback = function() vim.schedule(function() vim.cmd.update() end) end,
    })
  ]],
  ["by a timer"] = [[
    vim.fn.timer_start(5, function() vim.cmd("silent! update") end, { ["repeat"] = -1 })
  ]],
}

for name, plugin in pairs(plugins) do
  test("a plugin that saves " .. name .. " accepts no half-typed change", function(child)
    type_with_autosave(child, plugin)
    same(child:sent("companion/diffAccepted"), {})
    child:keys(":w<CR>")
    child:settle()
    same(child:sent("companion/diffAccepted"), { { id = "1", content = "one\n2\nthree\nhalf\nan edit\n" } })
  end)
end

test("that a plugin does not accept is said once", function(child)
  type_with_autosave(child, plugins["after a moment"])
  local _, count = child:lua([[return vim.fn.execute("messages")]]):gsub("Only your own :w accepts main.ts", "")
  same(count, 1)
end)

local maps = {
  [ [["<Cmd>w<CR>"]] ] = "<C-s>",
  [ [[":w<CR>"]] ] = "<C-s>",
  [ [[function() vim.cmd.write() end]] ] = "<C-s>",
  [ [["<Cmd>call execute('write')<CR>"]] ] = "i<C-s>",
}
for map, keys in pairs(maps) do
  test("a key of the user's that writes accepts: " .. map, function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:lua(([[vim.keymap.set({ "n", "i" }, "<C-s>", %s)]]):format(map))
    child:keys(keys)
    child:until_true([[return #vim.api.nvim_list_tabpages() == 1]])
    same(#child:sent("companion/diffAccepted"), 1)
  end)
end

test("after :saveas the proposal has its own name, and :w accepts it", function(child)
  local copy = vim.fs.dirname(harness.file("x", "")) .. "/copy.ts"
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":saveas " .. copy .. "<CR>")
  child:settle()
  same(child:lua([[return vim.fn.bufname()]]), "Gemini CLI: main.ts")
  child:keys(":w<CR>")
  same(#child:sent("companion/diffAccepted"), 1)
end)
