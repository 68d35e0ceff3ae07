local harness = require("harness")
local test, same = harness.test, harness.same

---A file on disk, and two decisions about it. @return its path
local function decide(child, rewrite)
  local path = harness.file("a.ts", "one\n2nd\n")
  child:lua(
    [[
    local path, rewrite = ...
    local function decision(id, text)
      return { id = id, agent = "Gemini CLI", filePath = path, label = "src/a.ts", at = 0, text = text, actions = {
        { code = "show", name = "shows" }, { code = "undo", name = "undoes" },
        { code = "reapply", name = "puts it in" } } }
    end
    lists.history = { decision("a", "accepted"), decision("b", "rejected") }
    acts.show = { compare = { label = "src/a.ts", patch = " one\n-second\n+2nd\n" } }
    acts.undo = rewrite.content
      and { put = { filePath = path, content = rewrite.content, what = "your version", onlySaved = true } } or rewrite
    acts.reapply = acts.undo
    require("ide-companion").start()
    vim.ui.select = function(items, options, on_choice)
      _G.offered = vim.tbl_map(options.format_item, items)
      on_choice(items[1])
    end
    ]],
    path,
    rewrite
  )
  return path
end

test("an earlier decision opens as a diff, and undoing it is an unsaved change of the file", function(child)
  local path = decide(child, { content = "one\nsecond\nlast\n" })
  child:keys(":IdeCompanion history<CR>")
  child:until_true("return #vim.api.nvim_list_tabpages() == 2")
  same(#child:lua("return offered"), 2)
  assert(child:lua("return offered[2]"):find("^src/a.ts  Gemini CLI, .*: rejected$"))
  same(child:texts_of_tab(), { " one|-second|+2nd" })
  same(child:bar():sub(1, 32), "u undoes  p puts it in  q closes")
  child:keys("u")
  child:until_true("return vim.api.nvim_buf_get_name(0) == ...", path)
  same(child:sent("companion/act")[2], { list = "history", id = "a", action = "undo" })
  same(
    child:lua("return { #vim.api.nvim_list_tabpages(), vim.bo.modified, vim.api.nvim_buf_get_lines(0, 0, -1, true) }"),
    { 1, true, { "one", "second", "last" } }
  )
  same(vim.fn.readfile(path), { "one", "2nd" })
end)

test("the version of the user comes into the file again, but not over unsaved changes", function(child)
  local path = decide(child, { content = "mine\n" })
  child:lua("vim.cmd.edit(...)", path)
  child:keys("cctyped<Esc>:IdeCompanion history accepted<CR>")
  child:until_true("return #vim.api.nvim_list_tabpages() == 2")
  child:keys("p")
  child:until_true([[return vim.fn.execute("messages"):find("src/a.ts has unsaved changes: write them first") ~= nil]])
  child:keys(":tabfirst<CR>:w<CR>:tablast<CR>p")
  child:until_true("return vim.api.nvim_buf_get_lines(0, 0, -1, true)[1] == 'mine'")
  same(child:sent("companion/act")[3], { list = "history", id = "a", action = "reapply" })
end)

test("the history is searched for all words of the command", function(child)
  decide(child, {})
  child:keys(":IdeCompanion history rejected<CR>")
  child:until_true("return #vim.api.nvim_list_tabpages() == 2") -- the only one opens at once
  same(child:sent("companion/act"), { { list = "history", id = "b", action = "show" } })
  child:keys(":IdeCompanion history Gemini Qwen<CR>")
  child:until_true([[return vim.fn.execute("messages"):find("There is nothing.", 1, true) ~= nil]])
  same(child:sent("companion/list")[2], { list = "history", wanted = "Gemini Qwen" })
end)

test("what cannot be undone says why", function(child)
  decide(child, { message = "The file has changed since in the same places: undo it by hand." })
  child:keys(":IdeCompanion history<CR>")
  child:until_true("return #vim.api.nvim_list_tabpages() == 2")
  child:keys("u")
  child:until_true([[return vim.fn.execute("messages"):find("The file has changed since in the same places") ~= nil]])
  child:keys("q")
  same(child:layout(), { tabs = 1, wins = 1 })
end)

test("who closes an earlier decision is where they were, also with other tabs behind it", function(child)
  decide(child, { content = "mine\n" })
  child:propose()
  child:keys(":IdeCompanion history<CR>")
  child:until_true("return #vim.api.nvim_list_tabpages() == 3")
  child:keys("q")
  same({ child:lua("return vim.fn.tabpagenr()"), child:layout() }, { 1, { tabs = 2, wins = 3 } })
end)
