local harness = require("harness")
local test, same = harness.test, harness.same

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
  same(child:layout().tabs, 2)
end)

test("who types is led to a proposal, if they want that, when they have stopped typing", function(child)
  child:lua([[require("ide-companion").setup({ diff = { focus = true } })]])
  child:keys("ihello")
  child:propose()
  child:keys(" world")
  same(child:lua("return vim.api.nvim_get_current_line()"), "hello world")
  child:keys("<Esc>")
  child:until_true("return vim.api.nvim_get_current_line() == '2'")
  child:keys(":w<CR>")
  same(child:sent("companion/diffAccepted")[1].content, "one\n2\nthree\n")
end)

test("a selection, an operator and the command line are waited for", function(child)
  child:lua([[vim.api.nvim_buf_set_lines(0, 0, -1, true, { "one two" })]])
  for id, keys in ipairs({ "v", "d", ":echo 1", "q:" }) do
    child:keys(keys)
    local mode = child:mode()
    child:propose({ id = tostring(id) })
    child:settle()
    same(child:mode(), mode)
    same(child:layout().tabs, 1)
    child:keys(keys == "q:" and ":q<CR>" or "<Esc>")
    child:until_true("return #vim.api.nvim_list_tabpages() == 2")
    child:lua([[require("ide-companion").reject()]])
    child:until_true("return #vim.api.nvim_list_tabpages() == 1")
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

test("the last tab is as before", function(child)
  child:lua([[vim.cmd("edit a | tabedit b | tabedit c | split | tabnext 1 | tabnext 3")]])
  local state = "return { vim.fn.tabpagenr('#'), vim.fn.tabpagenr(), vim.fn.winnr('#'), vim.fn.tabpagewinnr(1, '#') }"
  local before = child:lua(state)
  same(before[1], 1)
  child:propose()
  same(child:lua(state), before)
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
  same(child:texts_of_tab(), { "one|2|three" })
  same(child:bar(), ":w accepts  :q rejects  Gemini CLI proposes deep/new.lua  This is a new file.")
  same(vim.fn.isdirectory("/nowhere"), 0)
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
  same(bars(120), { keys .. "  Gemini CLI proposes  ]c next change>", "src/main.ts on disk" })
  same(bars(80), { keys .. "  Gemini CLI prop>", "src/main.ts on disk" })
  assert(bars(60)[1]:find("^" .. keys .. "  Gem.*>$"))
  assert(bars(34)[1]:find("^:w yes  :q no  G.*>$"))
end)

for _, keys in ipairs({ "i", "R", "v", ":echo 1" }) do
  test("a proposal that comes after " .. keys .. " is announced when that ends", function(child)
    child:keys(keys)
    child:propose()
    child:settle()
    assert(not child:row(0):find("proposes"), child:row(0))
    child:keys("<Esc>")
    child:until_true([[return vim.fn.execute("messages"):find("Gemini CLI proposes main.ts") ~= nil]])
    assert(child:row(0):find("Gemini CLI proposes main.ts   :IdeCompanion diff", 1, true), child:row(0))
  end)
end

test("a proposal that was decided while the user typed is not announced any more", function(child)
  child:keys("i")
  child:propose()
  child:lua([[handlers["companion/closeDiff"]({ id = "1", words = "Gemini CLI has taken this back" })]])
  child:keys("<Esc>")
  child:settle()
  same(vim.trim(child:lua([[return vim.fn.execute("messages")]])), "")
end)
