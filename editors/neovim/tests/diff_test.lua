local harness = require("harness")
local test, same = harness.test, harness.same

local function layout(child)
  return child:lua([[return { tabs = #vim.api.nvim_list_tabpages(), wins = #vim.api.nvim_list_wins() }]])
end

local function texts_of_tab(child)
  return child:lua([[
    return vim.tbl_map(function(window)
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), "|")
    end, vim.api.nvim_tabpage_list_wins(0))
  ]])
end

local function saved_texts(child)
  return child:lua([[
    local found = {}
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      local name = vim.fn.bufname(buffer)
      if vim.bo[buffer].buflisted and name:find("^Your text: ") then
        table.insert(found, { name, table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "|") })
      end
    end
    return found
  ]])
end

test("a proposal opens a tab of two windows in the background", function(child)
  local before = child:lua("return vim.api.nvim_get_current_win()")
  same(child:propose(), true)
  same(child:lua("return vim.api.nvim_get_current_win()"), before)
  same(layout(child), { tabs = 2, wins = 3 })
  child:lua([[require("ide-companion").diff()]])
  same(texts_of_tab(child), { "one|two|three", "one|2|three" })
  same(child:lua("return { vim.wo.diff, vim.bo.filetype, vim.bo.modifiable, vim.fn.line('.') }"), {
    true,
    "typescript",
    true,
    2,
  })
end)

test("writing accepts with what was typed, and brings the user back", function(child)
  local before = child:lua("return vim.api.nvim_get_current_win()")
  child:propose({ newContent = "one\n2", original = "one\n" })
  child:lua([[require("ide-companion").diff()]])
  child:keys("GA!<Esc>:w<CR>")
  same(child:sent("companion/diffAccepted"), { { id = "1", content = "one\n2!" } })
  same(child:lua("return vim.api.nvim_get_current_win()"), before)
  same(layout(child), { tabs = 1, wins = 1 })
  same(child:lua([[return #vim.tbl_filter(function(b)
    return vim.fn.bufname(b):find("main.ts", 1, true) ~= nil
  end, vim.api.nvim_list_bufs())]]), 0)
end)

for _, keys in ipairs({ ":wq<CR>", "ZZ", ":x<CR>" }) do
  test(keys .. " accepts and does not reject as well", function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys("Gox<Esc>" .. keys)
    child:settle()
    same(#child:sent("companion/diffAccepted"), 1)
    same(child:sent("companion/diffRejected"), {})
    same(layout(child), { tabs = 1, wins = 1 })
  end)
end

for _, keys in ipairs({ "ZZ", ":x<CR>", ":wq<CR>", ":w<CR>" }) do
  test(keys .. " accepts what nothing was typed into", function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys(keys)
    child:settle()
    same(child:sent("companion/diffAccepted"), { { id = "1", content = "one\n2\nthree\n" } })
    same(child:sent("companion/diffRejected"), {})
    same(layout(child), { tabs = 1, wins = 1 })
  end)
end

for _, command in ipairs({ "q", "q!", "tabclose", "bdelete!", "bwipeout!", "close", "wincmd h | q" }) do
  test(":" .. command .. " rejects", function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys(":" .. command .. "<CR>")
    child:settle()
    same(child:sent("companion/diffRejected"), { { id = "1" } })
    same(layout(child), { tabs = 1, wins = 1 })
  end)
end

for _, command in ipairs({ "q", "tabclose", "wincmd h | q", "IdeCompanion reject" }) do
  test(":" .. command .. " rejects, and what was typed is saved in a buffer", function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys("Gofour<Esc>:" .. command .. "<CR>")
    child:settle()
    same(child:sent("companion/diffRejected"), { { id = "1" } })
    same(layout(child), { tabs = 1, wins = 1 })
    same(saved_texts(child), { { "Your text: main.ts", "one|2|three|four" } })
  end)
end

test(":only leaves the proposal alone in its tab, and decides nothing", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":only<CR>")
  child:settle()
  same(child:sent("companion/diffRejected"), {})
  same(texts_of_tab(child), { "one|2|three" })
  child:keys(":w<CR>")
  same(layout(child), { tabs = 1, wins = 1 })
end)

test(":only in the original closes the proposal, which rejects", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("<C-w>h:only<CR>")
  child:settle()
  same(child:sent("companion/diffRejected"), { { id = "1" } })
  same(layout(child), { tabs = 1, wins = 1 })
end)

test("the next proposal is gone to from the one before", function(child)
  child:propose({ id = "1", newContent = "a\n" })
  child:propose({ id = "2", newContent = "b\n" })
  local seen = {}
  for _ = 1, 3 do
    child:lua([[vim.cmd.IdeCompanion("diff")]])
    seen[#seen + 1] = texts_of_tab(child)[2]
  end
  same(seen, { "a", "b", "a" })
end)

test("a proposal may be gone to as soon as it comes", function(child)
  child:lua([[require("ide-companion").setup({ diff = { focus = true } })]])
  child:propose()
  same(texts_of_tab(child)[2], "one|2|three")
  child:keys(":w<CR>")
  same(layout(child), { tabs = 1, wins = 1 })
end)

test("what was put into the window of a proposal stays, and the proposal is shown again", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":enew<CR>ihers<Esc>:IdeCompanion diff<CR>")
  same(texts_of_tab(child)[2], "one|2|three")
  child:keys(":w<CR>")
  child:settle()
  same(#child:sent("companion/diffAccepted"), 1)
  local texts = child:lua([[return vim.tbl_map(function(window)
    return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, true)[1]
  end, vim.api.nvim_list_wins())]])
  assert(vim.tbl_contains(texts, "hers"), vim.inspect(texts))
end)

test(":e! brings back what was proposed, and :w elsewhere writes a copy", function(child)
  local copy = vim.fs.dirname(harness.file("x", "")) .. "/copy of it"
  child:propose({ newContent = "one\n2" })
  child:lua([[require("ide-companion").diff()]])
  child:keys("ggdG:e!<CR>")
  same(texts_of_tab(child)[2], "one|2")
  child:lua([[vim.cmd.write({ args = { vim.fn.fnameescape(...) } })]], copy)
  same(child:sent("companion/diffAccepted"), {})
  local file = assert(io.open(copy, "rb"))
  same(file:read("*a"), "one\n2")
  file:close()
end)

test("who writes all files has not decided", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>gT:wa<CR>")
  child:settle()
  same(child:sent("companion/diffAccepted"), {})
  same(layout(child).tabs, 2)
end)

test("Neovim ends with a proposal open, unless something was typed into it", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>gT")
  child:keys(":wqa<CR>")
  same(layout(child).tabs, 2)
  same(child:leaves(":qa<CR>"), nil)
  child:keys("<Esc>")
  same(texts_of_tab(child)[2], "one|2|three|four") -- where the question is
  child:lua([[require("ide-companion").reject()]])
  child:propose({ id = "2" })
  same(child:leaves(":qa<CR>"), 0)
end)

test("the maps of the diff decide, and exist nowhere else", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("\\a")
  same(#child:sent("companion/diffAccepted"), 1)
  same(child:lua([[return #vim.api.nvim_get_keymap("n")]]), child:lua([[
    return #vim.tbl_filter(function(map) return not map.lhs:find("LocalLeader") end, vim.api.nvim_get_keymap("n"))
  ]]))
end)

test("a decision that does not count leaves the diff open, and a message says why", function(child)
  child:lua([[result = { taken = false, reason = "too late" }]])
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":wq<CR>")
  child:settle()
  same(layout(child).tabs, 2)
  assert(child:lua([[return vim.fn.execute("messages")]]):find("too late"))
end)

test("a hunk is reverted by do, in every layout", function(child)
  for _, name in ipairs({ "vertical", "horizontal", "unified" }) do
    child:lua([[require("ide-companion").setup({ diff = { layout = ... } })]], name)
    child:propose({ id = name, newContent = "one\n2\nthree\n4\n", original = "one\ntwo\nthree\nfour\n" })
    child:lua([[require("ide-companion").diff()]])
    child:keys("]cdo")
    child:keys(":w<CR>")
  end
  for _, accepted in ipairs(child:sent("companion/diffAccepted")) do
    same({ accepted.id, accepted.content }, { accepted.id, "one\n2\nthree\nfour\n" })
  end
  same(#child:sent("companion/diffAccepted"), 3)
end)

test("dp in the original reverts a change too", function(child)
  child:propose({ newContent = "1\ntwo\n3\n", original = "one\ntwo\nthree\n" })
  child:lua([[require("ide-companion").diff()]])
  child:keys("<C-w>hggdp<C-w>l:w<CR>")
  same(child:sent("companion/diffAccepted"), { { id = "1", content = "one\ntwo\n3\n" } })
end)

test("in the unified layout do reverts lines that came, went or changed, at both ends", function(child)
  child:lua([[require("ide-companion").setup({ diff = { layout = "unified" } })]])
  local cases = {
    { "new\none\n", "one\n", "gg" },
    { "one\n", "gone\none\n", "gg" },
    { "one\nnew\n", "one\n", "G" },
    { "one\n", "one\ngone\n", "G" },
    { "1\n", "one\n", "gg" },
    { "", "one\n", "gg" },
  }
  for id, case in ipairs(cases) do
    child:propose({ id = tostring(id), newContent = case[1], original = case[2] })
    child:lua([[require("ide-companion").diff()]])
    child:keys(case[3] .. "do:w<CR>")
    same(child:sent("companion/diffAccepted")[id].content, case[2])
  end
end)

test("in the unified layout lines that went from the top are to be seen, also after scrolling", function(child)
  child:lua([[require("ide-companion").setup({ diff = { layout = "unified" } })]])
  local text = ("line\n"):rep(100)
  child:propose({ newContent = text, original = "gone\n\ttoo\n" .. text })
  child:lua([[require("ide-companion").diff()]])
  for _, keys in ipairs({ "", "Ggg", "jddk" }) do
    child:keys(keys)
    child:until_true([[
      vim.cmd.redraw()
      local function row(n)
        local cells = {}
        for column = 1, 20 do cells[column] = vim.fn.screenstring(n, column) end
        return (table.concat(cells):gsub("%s+$", ""))
      end
      return row(3) == "gone" and row(4) == "        too" and row(5) == "line"
    ]])
  end
end)

test("the unified layout shows what is replaced between the lines", function(child)
  child:lua([[require("ide-companion").setup({ diff = { layout = "unified" } })]])
  child:propose({ newContent = "1\ntwo\n", original = "one\ntwo\nthree\n" })
  child:lua([[require("ide-companion").diff()]])
  same(layout(child), { tabs = 2, wins = 2 })
  child:call("nvim_command", "redraw")
  local rows = child:lua([[
    local rows = {}
    for row = 3, 6 do
      local cells = {}
      for column = 1, 8 do cells[column] = vim.fn.screenstring(row, column) end
      rows[#rows + 1] = vim.trim(table.concat(cells))
    end
    return rows
  ]])
  same(rows, { "one", "1", "two", "three" })
end)

test("closed by its agent it gives back its text, edits and all", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>")
  local answer = child:lua([[return handlers["companion/closeDiff"]({ id = "1", reason = "agent" })]])
  same(answer, { content = "one\n2\nthree\nfour\n" })
  child:settle()
  same(layout(child), { tabs = 1, wins = 1 })
  same(child:sent("companion/diffRejected"), {})
end)

test("two proposals, also for one file, do not clash", function(child)
  child:propose({ id = "1", newContent = "a\n" })
  child:propose({ id = "2", newContent = "b\n", agent = "Qwen Code" })
  same(layout(child), { tabs = 3, wins = 5 })
  child:lua([[require("ide-companion").accept()]])
  child:lua([[require("ide-companion").reject()]])
  same(child:sent("companion/diffAccepted"), { { id = "1", content = "a\n" } })
  same(child:sent("companion/diffRejected"), { { id = "2" } })
  same(layout(child), { tabs = 1, wins = 1 })
end)

test("who types goes on typing", function(child)
  child:keys("ihello")
  child:propose()
  child:keys(" world")
  same(child:mode(), "i")
  same(child:lua("return vim.api.nvim_get_current_line()"), "hello world")
  child:keys("<Esc>u")
  same(child:lua("return vim.api.nvim_get_current_line()"), "")
end)

test("who types into a terminal goes on typing", function(child)
  child:lua([[vim.cmd("terminal cat")]])
  child:keys("i")
  same(child:mode(), "t")
  child:propose()
  child:keys("typed<CR>")
  same(child:mode(), "t")
  child:until_true([[return vim.fn.search("typed") > 0]])
  same(layout(child).tabs, 2)
end)

test("a selection, an operator and the command line are waited for", function(child)
  child:lua([[vim.api.nvim_buf_set_lines(0, 0, -1, true, { "one two" })]])
  for id, keys in ipairs({ "v", "d", ":echo 1", "q:" }) do
    child:keys(keys)
    local mode = child:mode()
    child:propose({ id = tostring(id) })
    child:settle()
    same(child:mode(), mode)
    same(layout(child).tabs, id)
    child:keys(keys == "q:" and ":q<CR>" or "<Esc>")
    child:until_true("return #vim.api.nvim_list_tabpages() == ...", id + 1)
  end
end)

test("the user's options, layout and alternate file are as before", function(child)
  child:lua([[
    vim.cmd.edit("alternate")
    vim.cmd.edit("current")
    vim.cmd.vsplit()
    vim.wo.number, vim.wo.wrap, vim.o.eventignore, vim.wo.winbar = true, false, "FileChangedShell", "mine"
    _G.state = function()
      return { vim.fn.winlayout(), vim.fn.winrestcmd(), vim.fn.bufname("#"), vim.wo.number, vim.wo.wrap, vim.wo.diff,
        vim.wo.foldmethod, vim.wo.winbar, vim.o.eventignore, vim.o.lazyredraw, vim.o.diffopt }
    end
  ]])
  local before = child:lua("return state()")
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":w<CR>")
  child:settle()
  same(child:lua("return state()"), before)
end)

test("nothing of a strange window is found in the diff, and nothing of the diff in the user's", function(child)
  child:lua([[
    vim.o.number = true
    vim.cmd("diffsplit other")
    vim.cmd("setlocal nonumber winfixheight spell")
    _G.options = function(window)
      return vim.tbl_map(function(name) return vim.wo[window][name] end,
        { "number", "winfixheight", "spell", "diff", "scrollbind", "foldmethod", "winhighlight" })
    end
    _G.before = vim.tbl_map(options, vim.api.nvim_list_wins())
  ]])
  for id, name in ipairs({ "vertical", "unified" }) do
    child:lua([[require("ide-companion").setup({ diff = { layout = ... } })]], name)
    child:propose({ id = tostring(id) })
    child:lua([[require("ide-companion").diff()]])
    local is_diff = name == "vertical"
    local seen = child:lua("return options(0)")
    same({ unpack(seen, 1, 5) }, { true, false, false, is_diff, is_diff })
    child:keys(":w<CR>")
    same(child:lua("return vim.tbl_map(options, vim.api.nvim_list_wins())"), child:lua("return before"))
  end
end)

test("a huge proposal opens all the same", function(child)
  local text = ("a line of some length, as they are in files\n"):rep(100000)
  for id, name in ipairs({ "vertical", "unified" }) do
    child:lua([[require("ide-companion").setup({ diff = { layout = ... } })]], name)
    child:propose({ id = tostring(id), newContent = text .. "end\n", original = "start\n" .. text })
    child:lua([[require("ide-companion").diff()]])
    child:keys("Gox<Esc>:w<CR>")
    same(#child:sent("companion/diffAccepted")[id].content, #text + 6)
  end
end)

test("a new file has the whole tab, and its folder is not made", function(child)
  child:propose({
    filePath = "/nowhere/deep/new.lua",
    label = "deep/new.lua",
    original = false,
    notes = { "This is a new file." },
  })
  child:lua([[require("ide-companion").diff()]])
  same(texts_of_tab(child), { "one|2|three" })
  same(child:bar(), ":w accepts  :q rejects  Gemini CLI proposes deep/new.lua  This is a new file.")
  same(vim.fn.isdirectory("/nowhere"), 0)
end)

test("unsaved edits of the file are mentioned and not touched", function(child)
  local path = harness.file("a b#%[.txt", "old\n")
  child:lua("vim.cmd.edit(vim.fn.fnameescape(...))", path)
  child:keys("Aunsaved<Esc>")
  child:propose({ filePath = path, label = "a b#%[.txt", original = "old\n" })
  child:lua([[require("ide-companion").diff()]])
  local bar = child:bar(child:lua("return vim.api.nvim_tabpage_list_wins(0)[1]"))
  assert(bar:find("unsaved changes"), bar)
  child:keys(":q<CR>")
  child:settle()
  same(child:lua("return { vim.api.nvim_get_current_line(), vim.bo.modified }"), { "oldunsaved", true })
end)

test("the buffer of an accepted file follows what its agent writes", function(child)
  local path = harness.file("a.txt", "old\n")
  child:lua("vim.cmd.edit(...)", path)
  child:propose({ filePath = path, newContent = "new\n", original = "old\n" })
  child:lua([[require("ide-companion").accept()]])
  child:lua("vim.wait(150)") -- its watch has seen the file as it was
  local file = assert(io.open(path, "wb"))
  file:write("new and longer\n")
  file:close()
  child:until_true([[return vim.api.nvim_get_current_line() == "new and longer"]])
end)

test("tabs, status lines and buffers have the file's name and whose proposal it is", function(child)
  child:propose({ filePath = "/app/src/main.ts", label = "src/main.ts" })
  assert(child:row(1):find("2 Gemini CLI: main.ts ", 1, true), child:row(1))
  child:lua([[require("ide-companion").diff()]])
  assert(child:row(-1):find("^On disk: main.ts .* Gemini CLI: main.ts "), child:row(-1))
  child:lua([[vim.cmd.lcd("/")]]) -- names are not made relative to another folder
  same(child:lua("return vim.fn.bufname()"), "Gemini CLI: main.ts")
  child:propose({ id = "2", filePath = "/app/other/main.ts", label = "other/main.ts" })
  child:lua([[require("ide-companion").diff()]])
  same(child:lua("return vim.fn.bufname()"), "Gemini CLI (2): main.ts")
  child:keys(":w<CR>")
  same(child:sent("companion/diffAccepted")[1].id, "2")
end)

test("at any width the keys are whole and come first", function(child)
  child:propose({ label = "src/main.ts" })
  child:lua([[require("ide-companion").diff()]])
  local function bars(columns)
    child:call("nvim_ui_try_resize", columns, 24)
    child:until_true("return vim.o.columns == ...", columns)
    child:keys("<C-w>=")
    return { child:bar(), child:bar(child:lua("return vim.api.nvim_tabpage_list_wins(0)[1]")) }
  end
  local keys = ":w accepts  :q rejects"
  same(bars(160), { keys .. "  Gemini CLI proposes  ]c next change, do reverts it", "src/main.ts on disk" })
  same(bars(120), { keys .. "  Gemini CLI proposes", "src/main.ts on disk" })
  same(bars(80), { keys .. "  Gemini CLI", "src/main.ts on disk" })
  same(bars(60), { keys, "src/main.ts on disk" })
  same(bars(34), { ":w yes  :q no", "src/main.ts" })
end)

for _, keys in ipairs({ "i", "R", "v", ":echo 1" }) do
  test("a proposal that comes after " .. keys .. " is announced when that ends", function(child)
    child:keys(keys)
    child:propose()
    child:settle()
    assert(not child:row(0):find("proposes"), child:row(0))
    child:keys("<Esc>")
    child:until_true([[return vim.fn.execute("messages"):find("Gemini CLI proposes main.ts") ~= nil]])
    assert(child:row(0):find(":IdeCompanion diff   Gemini CLI proposes main.ts", 1, true), child:row(0))
  end)
end

test("a proposal that was decided while the user typed is not announced any more", function(child)
  child:keys("i")
  child:propose()
  child:lua([[handlers["companion/closeDiff"]({ id = "1", reason = "agent" })]])
  child:keys("<Esc>")
  child:settle()
  same(vim.trim(child:lua([[return vim.fn.execute("messages")]])), "")
end)

-- An agent that writes as soon as it hears of the acceptance, which may be before we do.
local write_at_once = [[
  local path, content = ...
  local start = package.loaded["ide-companion.rpc"].start
  package.loaded["ide-companion.rpc"].start = function(options)
    local rpc = start(options)
    local request = rpc.request
    rpc.request = function(method, ...)
      if method == "companion/diffAccepted" then
        local file = io.open(path, "wb")
        file:write(content)
        file:close()
      end
      return request(method, ...)
    end
    return rpc
  end
]]

for _, arguments in ipairs({ { "--cmd", "set autoread" }, { "--cmd", "set noautoread" }, { "-M" } }) do
  test("a file that its agent writes at once is current in its buffer with " .. arguments[#arguments], function(child)
    local path = harness.file("a.txt", "old\n")
    child:lua(write_at_once, path, "1234\n")
    child:lua("vim.o.autoread = vim.o.autoread; vim.cmd.edit(...)", path)
    same(child:propose({ filePath = path, newContent = "1234\n", original = "old\n" }), true)
    child:lua([[require("ide-companion").diff()]])
    child:keys("ZZ")
    child:until_true([[return vim.api.nvim_get_current_line() == "1234" and not vim.bo.modified]])
    same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  end, arguments)
end

test("the buffer of a file that was not there follows what its agent writes", function(child)
  local path = harness.file("b.txt", "")
  os.remove(path)
  child:lua(write_at_once, path, "new\n")
  child:lua("vim.cmd.edit(...)", path)
  child:propose({ filePath = path, newContent = "new\n", original = false })
  child:lua([[require("ide-companion").accept()]])
  child:until_true([[return vim.api.nvim_get_current_line() == "new" and not vim.bo.modified]])
end)

---An accepted proposal was written under unsaved changes.
local function conflict(child)
  local path = harness.file("a.txt", "one\n\ntwo\n")
  child:lua(write_at_once, path, "one\n\n2\n")
  child:lua("vim.cmd.edit(...)", path)
  child:keys("ggImy <Esc>")
  child:propose({ filePath = path, newContent = "one\n\n2\n", original = "one\n\ntwo\n" })
  child:lua([[require("ide-companion").accept()]])
  child:until_true([[return vim.fn.execute("messages"):find(":IdeCompanion merge +main.ts was written") ~= nil]])
  return path
end

local function content_of(path)
  local file = assert(io.open(path, "rb"))
  local content = file:read("*a")
  file:close()
  return content
end

test(":w of unsaved changes does not write over what was accepted, and asks nothing", function(child)
  local path = conflict(child)
  child:keys(":w<CR>")
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  assert(child:row(0):find("^:IdeCompanion merge, or :w! "), child:row(0))
  same(content_of(path), "one\n\n2\n")
  child:keys(":checktime<CR>")
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  same(child:lua("return { vim.api.nvim_get_current_line(), vim.bo.modified }"), { "my one", true })
  local other = path .. ".mine"
  child:keys(":w " .. other .. "<CR>")
  same({ content_of(path), content_of(other) }, { "one\n\n2\n", "my one\n\ntwo\n" })
  child:keys(":w!<CR>")
  same(content_of(path), "my one\n\ntwo\n")
  child:keys("0x:w<CR>") -- all is as before
  same(content_of(path), "y one\n\ntwo\n")
end)

test(":e! loads what was accepted", function(child)
  local path = conflict(child)
  child:keys(":e!<CR>Gx:w<CR>")
  child:settle()
  same(content_of(path), "one\n\n\n")
end)

test(":IdeCompanion merge compares unsaved changes with what was accepted, and :w saves the result", function(child)
  local path = conflict(child)
  child:keys(":IdeCompanion merge<CR>")
  same(texts_of_tab(child), { "one||2", "my one||two" })
  same({ layout(child).tabs, child:lua("return vim.fn.bufname()") }, { 2, path })
  assert(child:bar():find("^:w saves this side"), child:bar())
  child:keys("Gdo:w<CR>")
  child:until_true([[return #vim.api.nvim_list_wins() == 1]])
  same(content_of(path), "my one\n\n2\n")
  same(child:lua("return { vim.wo.diff, vim.wo.winbar, vim.bo.modified }"), { false, "", false })
end)

test("user autocommands run for each event", function(child)
  child:lua([[
    _G.events = {}
    vim.api.nvim_create_autocmd("User", { pattern = "IdeCompanion*", callback = function(event)
      if event.data.path then table.insert(events, event.match .. " " .. event.data.path) end
    end })
  ]])
  child:propose()
  child:lua([[require("ide-companion").reject()]])
  same(child:lua("return events"), { "IdeCompanionDiffOpened /app/main.ts", "IdeCompanionDiffRejected /app/main.ts" })
end)
