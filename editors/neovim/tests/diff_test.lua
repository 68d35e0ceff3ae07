local harness = require("harness")
local test, same = harness.test, harness.same

test("a proposal opens a tab of two windows in the background", function(child)
  local before = child:lua("return vim.api.nvim_get_current_win()")
  same(child:propose(), true)
  same(child:lua("return vim.api.nvim_get_current_win()"), before)
  same(child:layout(), { tabs = 2, wins = 3 })
  child:lua([[require("ide-companion").diff()]])
  same(child:texts_of_tab(), { "one|two|three", "one|2|three" })
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
  same(child:layout(), { tabs = 1, wins = 1 })
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
    same(child:layout(), { tabs = 1, wins = 1 })
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
    same(child:layout(), { tabs = 1, wins = 1 })
  end)
end

for _, command in ipairs({ "q", "q!", "tabclose", "bdelete!", "bwipeout!", "close", "wincmd h | q" }) do
  test(":" .. command .. " rejects", function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys(":" .. command .. "<CR>")
    child:settle()
    same(child:sent("companion/diffRejected"), { { id = "1" } })
    same(child:layout(), { tabs = 1, wins = 1 })
  end)
end

local rejecting = { "q", "q!", "tabclose", "bdelete!", "bwipeout!", "wincmd h | q", "IdeCompanion reject" }
for _, command in ipairs(rejecting) do
  test(":" .. command .. " rejects, and what was typed is saved in a buffer", function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys("Gofour<Esc>:" .. command .. "<CR>")
    child:settle()
    same(child:sent("companion/diffRejected"), { { id = "1" } })
    same(child:layout(), { tabs = 1, wins = 1 })
    same(child:saved_texts(), { { "Your text: main.ts", "one|2|three|four" } })
  end)
end

for _, fault in ipairs({ "lua error('no parser')", "throw 'no parser'" }) do
  test("a fault in an autocommand for the filetype stops nothing, and waits for no key: " .. fault, function(child)
    child:lua([[vim.cmd("autocmd FileType * " .. ...)]], fault)
    same(child:propose(), true)
    same(child:mode(), "n")
    child:lua([[require("ide-companion").diff()]])
    same(child:lua("return { vim.bo.filetype, vim.wo.diff }"), { "typescript", true })
    child:keys(":IdeCompanion log<CR>")
    same(child:lua([[return vim.fn.search("filetype typescript: .*no parser") > 0]]), true)
  end)
end

test(":only leaves the proposal alone in its tab, and decides nothing", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":only<CR>")
  child:settle()
  same(child:sent("companion/diffRejected"), {})
  same(child:texts_of_tab(), { "one|2|three" })
  child:keys(":w<CR>")
  same(child:layout(), { tabs = 1, wins = 1 })
end)

test(":only in the original closes the proposal, which rejects", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("<C-w>h:only<CR>")
  child:settle()
  same(child:sent("companion/diffRejected"), { { id = "1" } })
  same(child:layout(), { tabs = 1, wins = 1 })
end)

for keys, shown in pairs({ [""] = "one|2|three", ["<C-w>h"] = "one|two|three" }) do
  test(("CTRL-W T moves the proposal, and decides nothing: after %q"):format(keys), function(child)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys(keys .. "<C-w>T")
    same({ child:texts_of_tab(), child:layout().tabs }, { { shown }, 3 })
    child:lua([[require("ide-companion").diff()]])
    child:keys(":w<CR>")
    child:settle()
    same({ #child:sent("companion/diffAccepted"), child:sent("companion/diffRejected") }, { 1, {} })
    same(child:layout(), { tabs = 1, wins = 1 })
  end)
end

test("the next proposal is gone to from the one before", function(child)
  child:propose({ id = "1", newContent = "a\n" })
  child:propose({ id = "2", newContent = "b\n" })
  local seen = {}
  for _ = 1, 3 do
    child:lua([[vim.cmd.IdeCompanion("diff")]])
    seen[#seen + 1] = child:texts_of_tab()[2]
  end
  same(seen, { "a", "b", "a" })
end)

test("14 proposals take one tab, with the name of the file, and each has its turn there", function(child)
  child:call("nvim_ui_try_resize", 80, 24)
  for number = 1, 14 do
    child:propose({ id = tostring(number), label = ("file %d.txt"):format(number), newContent = number .. "\nb\nc\n" })
  end
  local function tab_line()
    return (child:row(1):gsub("%s+", " "))
  end
  same(tab_line(), " [No Name] 2 Gemini CLI: file 1.txt X")
  child:keys(":IdeCompanion next<CR>jl\\n")
  same({ tab_line(), child:texts_of_tab()[2] }, { " [No Name] 2 Gemini CLI: file 2.txt X", "2|b|c" })
  child:keys("Gotyped<Esc>\\p")
  same({ child:texts_of_tab()[2], child:lua("return vim.fn.getpos('.')") }, { "1|b|c", { 0, 2, 1, 0 } })
  child:keys(":w<CR>")
  child:settle()
  same({ child:lua("return vim.fn.bufname()"), tab_line() }, { "", " [No Name] 2+ Gemini CLI: file 2.txt X" })
  same(child:sent("companion/diffRejected"), {})
  for number = 2, 14 do
    child:lua([[handlers["companion/closeDiff"]({ id = tostring(...), words = "It is over" })]], number)
  end
  child:until_true("return #vim.api.nvim_list_tabpages() == 1")
end)

test("a proposal may be gone to as soon as it comes", function(child)
  child:lua([[require("ide-companion").setup({ diff = { focus = true } })]])
  child:propose()
  same(child:texts_of_tab()[2], "one|2|three")
  child:keys(":w<CR>")
  same(child:layout(), { tabs = 1, wins = 1 })
end)

test("what was put into the window of a proposal stays, and the proposal is shown again", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":enew<CR>ihers<Esc>:IdeCompanion diff<CR>")
  same(child:texts_of_tab()[2], "one|2|three")
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
  same(child:texts_of_tab()[2], "one|2")
  child:lua([[vim.cmd.write({ args = { vim.fn.fnameescape(...) } })]], copy)
  same(child:sent("companion/diffAccepted"), {})
  local file = assert(io.open(copy, "rb"))
  same(file:read("*a"), "one\n2")
  file:close()
end)

test(":saveas writes a copy, and decides nothing", function(child)
  local copy = vim.fs.dirname(harness.file("x", "")) .. "/copy.ts"
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>:saveas " .. copy .. "<CR>")
  child:settle()
  same(child:sent("companion/diffAccepted"), {})
  same(table.concat(vim.fn.readfile(copy), "|"), "one|2|three|four")
  child:keys(":w /nowhere/copy.ts<CR>")
  assert(child:row(0):find("^/nowhere/copy.ts: No such file or directory"), child:row(0))
  child:lua([[require("ide-companion").accept()]])
  child:settle()
  same(child:sent("companion/diffAccepted"), { { id = "1", content = "one\n2\nthree\nfour\n" } })
end)

test("who writes all files has not decided", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>gT:wa<CR>")
  child:settle()
  same(child:sent("companion/diffAccepted"), {})
  same(child:layout().tabs, 2)
end)

for _, command in ipairs({ "silent !true", "silent make", "wincmd h | silent make" }) do
  test(":" .. command .. " accepts no proposal, also with 'autowrite'", function(child)
    child:lua([[vim.o.autowrite, vim.o.autowriteall, vim.o.makeprg = true, true, "true"]])
    child:propose()
    same(child:lua("return vim.o.autowrite"), true)
    child:lua([[require("ide-companion").diff()]])
    child:keys("Gohalf an ed<Esc>:" .. command .. "<CR>")
    child:keys("<C-w>bGAit<Esc>:w<CR>")
    same(child:sent("companion/diffAccepted"), { { id = "1", content = "one\n2\nthree\nhalf an edit\n" } })
    same(child:layout(), { tabs = 1, wins = 1 })
    same(child:lua("return { vim.o.autowrite, vim.o.autowriteall }"), { true, true })
  end)
end

test("who goes from tab to tab has 'autowrite' in all but that of a proposal", function(child)
  child:lua("vim.o.autowrite = true")
  child:propose()
  child:keys("gt")
  same(child:lua("return { vim.o.autowrite, vim.o.autowriteall }"), { false, false })
  child:keys("gt")
  same(child:lua("return { vim.o.autowrite, vim.o.autowriteall }"), { true, false })
  child:keys("gt:tabonly<CR>:enew!<CR>")
  same(child:lua("return vim.o.autowrite"), true)
end)

test("Neovim ends with a proposal open, unless something was typed into it", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>gT")
  child:keys(":wqa<CR>")
  same(child:layout().tabs, 2)
  same(child:leaves(":qa<CR>"), nil)
  child:keys("<Esc>")
  same(child:texts_of_tab()[2], "one|2|three|four") -- where the question is
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
  same(child:layout().tabs, 2)
  assert(child:lua([[return vim.fn.execute("messages")]]):find("too late"))
end)

test("two proposals, also for one file, do not clash", function(child)
  child:propose({ id = "1", newContent = "a\n" })
  child:propose({ id = "2", newContent = "b\n", agent = "Qwen Code" })
  same(child:layout(), { tabs = 2, wins = 3 })
  child:lua([[require("ide-companion").diff()]])
  child:lua([[require("ide-companion").accept()]])
  child:lua([[require("ide-companion").reject()]])
  same(child:sent("companion/diffAccepted"), { { id = "1", content = "a\n" } })
  same(child:sent("companion/diffRejected"), { { id = "2" } })
  same(child:layout(), { tabs = 1, wins = 1 })
end)

for _, command in ipairs({ "accept", "reject", "say_why" }) do
  test(":IdeCompanion " .. command .. " from elsewhere decides about none of several unseen ones", function(child)
    child:propose({ id = "1", newContent = "a\n" })
    child:propose({ id = "2", newContent = "b\n" })
    child:keys((":IdeCompanion %s<CR>"):format(command))
    same({ child:sent("companion/diffAccepted"), child:sent("companion/diffRejected") }, { {}, {} })
    same(child:texts_of_tab()[2], "a")
    same(child:row(0), "2 proposals wait, and this is the oldest: main.ts")
  end)
end

test("a window that is closed says that this rejects", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(":tabclose<CR>")
  child:settle()
  same(child:row(0), "Closed, which rejects it: main.ts.")
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
