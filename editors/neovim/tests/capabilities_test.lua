local harness = require("harness")
local test, same = harness.test, harness.same

local function show(child, params)
  return child:lua([[
    require("ide-companion").start()
    local ok, failure = pcall(handlers["companion/openFile"], ...)
    return ok and "shown" or failure
  ]], params)
end

---The file and the cursor in every window of the tab, and which window is the current one.
local function screen(child)
  return child:lua([[
    local shown = {}
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buffer = vim.api.nvim_win_get_buf(window)
      local position = vim.api.nvim_win_get_cursor(window)
      local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":t")
      local mark = window == vim.api.nvim_get_current_win() and "*" or ""
      shown[#shown + 1] = ("%s%s:%d:%d"):format(mark, name, position[1], position[2])
    end
    return shown
  ]])
end

test("a file is shown where the user reads, at a position in UTF-16 units", function(child)
  child:lua("vim.cmd.edit(...)", harness.file("one.txt", "1\n"))
  local path = harness.file("two ä.txt", "a\n😀é x\nc\n")
  same(show(child, { path = path, line = 2, character = 5 }), "shown")
  same(screen(child), { "*two ä.txt:2:7" })
  same(show(child, { path = path, line = 99, character = 99 }), "shown")
  same(screen(child), { "*two ä.txt:3:0" })
  same(show(child, { path = path }), "shown")
  same(screen(child), { "*two ä.txt:3:0" })
end)

test("it is shown next to a terminal, in which the user goes on typing", function(child)
  child:lua("vim.cmd.edit(...)", harness.file("one.txt", "1\n"))
  child:lua("vim.cmd.split() vim.cmd.terminal('cat') vim.cmd.startinsert()")
  child:settle()
  same(show(child, { path = harness.file("two.txt", "1\n2\n"), line = 2 }), "shown")
  same(child:mode(), "t")
  same(screen(child)[2], "two.txt:2:0")
end)

test("it does not replace what the user is writing", function(child)
  child:lua("vim.cmd.edit(...)", harness.file("one.txt", "1\n"))
  child:keys("i")
  same(show(child, { path = harness.file("two.txt", "1\n2\n"), line = 2 }), "shown")
  same(child:mode(), "i")
  same(screen(child), { "two.txt:2:0", "*one.txt:1:0" })
end)

test("the cursor stays where the user is writing, also in the file that is shown", function(child)
  local path = harness.file("one.txt", "1\n2\n3\n")
  child:lua("vim.cmd.edit(...)", path)
  child:keys("A!")
  same(show(child, { path = path }), "shown")
  same(screen(child), { "*one.txt:1:2" })
  same(show(child, { path = path, line = 3 }), "shown")
  same(show(child, { path = path, line = 2 }), "shown")
  same(screen(child), { "one.txt:2:0", "*one.txt:1:2" })
  child:keys("!")
  same(child:mode(), "i")
  same(child:lua("return vim.api.nvim_get_current_line()"), "1!!")
end)

test("it does not replace a diff", function(child)
  child:lua("vim.cmd.edit(...)", harness.file("one.txt", "1\n"))
  child:lua("vim.cmd.diffsplit(...)", harness.file("three.txt", "3\n"))
  same(show(child, { path = harness.file("two.txt", "1\n2\n") }), "shown")
  same(#screen(child), 3)
end)

test("a file that is open in another Neovim is shown without a question", function(child)
  local path = harness.file("two.txt", "1\n2\n")
  local other = harness.child()
  other:lua("vim.o.swapfile = true vim.cmd.edit(...)", path)
  other:keys("ix<Esc>:preserve<CR>")
  child:lua("vim.o.swapfile = true vim.o.shortmess = 'filnxtToOF'")
  same(show(child, { path = path, line = 2 }), "shown")
  same(child:mode(), "n")
  same(screen(child), { "*two.txt:2:0" })
  other:stop()
end)

test("in the middle of something it is refused, with the reason", function(child)
  child:keys(":echo ")
  same(show(child, { path = harness.file("two.txt", "1\n") }), "the user is in the middle of something")
end)

test("diagnostics are reported for one file and for all, counted from 1 in UTF-16 units", function(child)
  local one, two = harness.file("one.txt", "😀é x\n"), harness.file("two.txt", "2\n")
  child:lua([[
    local one, two = ...
    vim.cmd.edit(one)
    local space = vim.api.nvim_create_namespace("test")
    vim.diagnostic.set(space, vim.fn.bufnr(one), { { lnum = 0, col = 4, end_lnum = 0, end_col = 6, severity = 1,
      message = "wrong", source = "tsc", code = 2304 } })
    local other = vim.fn.bufadd(two)
    vim.diagnostic.set(space, other, { { lnum = 0, col = 0, severity = 4, message = "hm" } })
    require("ide-companion").start()
  ]], one, two)
  local found = {
    path = one,
    line = 1,
    character = 3,
    endLine = 1,
    endCharacter = 4,
    severity = "error",
    message = "wrong",
    source = "tsc",
    code = 2304,
  }
  same(child:lua([[return handlers["companion/diagnostics"]({ path = ... })]], one), { diagnostics = { found } })
  same(#child:lua([[return handlers["companion/diagnostics"]({})]]).diagnostics, 2)
  local none = child:lua([[return vim.json.encode(handlers["companion/diagnostics"]({ path = "/none" }))]])
  same(none, '{"diagnostics":[]}')
end)
