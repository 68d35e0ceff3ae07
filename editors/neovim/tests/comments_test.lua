local harness = require("harness")
local test, same = harness.test, harness.same

local function comment(first, last, text, more)
  local fields = { id = "1", side = "proposed", startLine = first, endLine = last, text = text }
  return vim.tbl_extend("force", fields, more or {})
end

---Answers the next questions for a text, in this order; false cancels.
local function answers(child, ...)
  child:lua(
    [[
    local texts = ...
    _G.asked = {}
    vim.ui.input = function(options, on_answer)
      table.insert(asked, { options.prompt, options.default })
      local text = table.remove(texts, 1)
      on_answer(text or nil)
    end
    ]],
    { ... }
  )
end

test("comments on a line and on selected lines reach the companion, and the agent with a rejection", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "why two?", "too long")
  child:keys("2G\\c")
  child:keys("ggVj\\c")
  same(child:lua("return asked"), { { "Comment on line 2: ", "" }, { "Comment on lines 1-2: ", "" } })
  same(child:sent("companion/comment"), { comment(2, 2, "why two?"), comment(1, 2, "too long") })
  same(child:bar():find("2 comments", 1, true) ~= nil, true)
  child:keys(":IdeCompanion say_why<CR>")
  same(child:sent("companion/diffRejected"), { { id = "1", withComments = true } })
end)

test("a comment is where the companion says, is changed on it, and deleted by an empty text", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "why?", "what for?", false, "")
  child:keys("2G\\c")
  child:lua("comments['1'][1].startLine = 3 comments['1'][1].endLine = 3")
  child:keys("ggOnew<Esc>")
  child:until_true("return require('ide-companion.proposal').find('1').comments[1].startLine == 3")
  child:keys("3G\\c")
  same(child:sent("companion/comment")[2], comment(3, 3, "what for?", { comment = "1" }))
  same(child:lua("return asked[2]"), { "Comment on line 3: ", "why?" })
  child:keys("\\c")
  same(#child:sent("companion/comment"), 2)
  child:keys("\\c")
  same(child:sent("companion/comment")[3], comment(3, 3, "", { comment = "1" }))
  same(child:bar():find("comment", 1, true), nil)
end)

test("what is written about a proposal in another view is shown, changed and deleted here too", function(child)
  local function update(...)
    child:lua([[handlers["companion/comments"]({ id = "1", comments = place("1", ...) })]], { ... })
  end
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "from the page!")
  local page = comment(1, 1, "from the page", { id = "p" })
  update(comment(2, 2, "why not?"), page, comment(0, 0, "too much", { id = "all" }))
  same(child:bar():find("3 comments", 1, true) ~= nil, true)
  local rows = {}
  for row = 3, 7 do
    rows[#rows + 1] = child:row(row):gsub("%s+", " ")
  end
  table.sort(rows)
  same(rows, { " one │ ▎ one", " two │ ▎ 2", " │ ▎ from the page", " │ ▎ too much", " │ ▎ why not?" })
  child:keys("1G\\c")
  same(child:sent("companion/comment"), { comment(1, 1, "from the page!", { comment = "p" }) })
  update()
  same(child:bar():find("comment", 1, true), nil)
end)

test("an acceptance carries comments on the side on disk as well; a plain one carries none", function(child)
  child:propose()
  child:propose({ id = "2", label = "other.ts" })
  child:lua([[require("ide-companion").diff()]])
  answers(child, "keep this")
  child:keys("<C-w>h2G\\c")
  same(child:sent("companion/comment"), { comment(2, 2, "keep this", { side = "original" }) })
  child:keys("\\A")
  child:lua([[require("ide-companion").accept()]])
  child:settle()
  same(child:sent("companion/diffAccepted"), {
    { id = "1", content = "one\n2\nthree\n", withComments = true },
    { id = "2", content = "one\n2\nthree\n" },
  })
end)

test("a decision that is to carry comments says how to write one", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("\\R")
  same(child:sent("companion/diffRejected"), {})
  same(child:row(0):find("Comment on a line first: :IdeCompanion comment", 1, true) ~= nil, true)
end)

test("of comments that wait the user chooses, and then what becomes of them", function(child)
  child:lua([[require("ide-companion").start()]])
  child:lua([[
    local function row(id, label)
      return { id = id, agent = "Toy", label = label, at = 0, text = "It left.", actions = {
        { code = "send", name = "puts them into the prompt" }, { code = "discard", name = "discards them" } } }
    end
    lists.comments = { row("a", "main.ts"), row("b", "other.ts") }
    acts.discard = { message = "Discarded: your comments on other.ts.", removed = true }
    _G.offered = {}
    vim.ui.select = function(items, options, on_choice)
      table.insert(offered, options.format_item(items[1]))
      on_choice(items[2])
    end
  ]])
  child:keys(":IdeCompanion comments<CR>")
  assert(child:lua("return offered[1]"):find("^main.ts  Toy, .*: It left.$"), child:lua("return offered[1]"))
  same(child:sent("companion/act"), { { list = "comments", id = "b", action = "discard" } })
  same(child:row(0), "Discarded: your comments on other.ts.")
end)

test("comments are shown again when :e! restores the text of the agent", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "why two?")
  child:keys("2G\\cggOnew<Esc>:e!<CR>")
  child:until_true([[return #require("ide-companion.proposal").find("1").comments == 1]])
  child:settle()
  assert(child:row(5):find("▎ why two?", 1, true), child:row(5))
end)

test("a comment on a change that is decided meanwhile is not lost", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "mine")
  child:lua([[answers["companion/comment"] = function() return vim.NIL end]])
  child:keys("2G\\c")
  assert(child:row(0):find("^The proposal has closed. Your comment is "), child:row(0))
  same(child:lua([[return vim.fn.getreg('"')]]), "mine")
end)

test("a comment that is longer than its window goes on in the next row", function(child)
  child:lua([[require("ide-companion").setup({ diff = { layout = "unified" } })]])
  child:propose({ original = "one\n2\n", newContent = "one\n2\nthree\n" })
  child:lua([[require("ide-companion").diff()]])
  answers(child, ("why "):rep(30) .. "three?")
  child:keys("ggj\\c")
  local screen = {}
  for row = 1, 8 do
    screen[row] = child:row(row)
  end
  assert(table.concat(screen, "\n"):find("why why\n[ ]*why .*three%?\n"), table.concat(screen, "\n"))
end)

test("a comment between two sides loses nothing, and keeps lines that belong together in one row", function(child)
  child:propose({ original = "one\ntwo\nthree\n", newContent = "one\nnew\n2\nthree\n" })
  child:lua([[require("ide-companion").diff()]])
  answers(child, ("word "):rep(20) .. "end", "of what was")
  child:keys("2G\\c<C-w>h2G\\c")
  ---@return string[] what is next to each other below the line of keys
  local function rows(columns)
    child:call("nvim_ui_try_resize", columns, 24)
    child:until_true("return vim.o.columns == ...", columns)
    child:keys("<C-w>=")
    local found = {}
    for row = 3, 11 do
      found[#found + 1] = child:row(row):gsub("%s+", " "):gsub("%-+", "- ")
    end
    return found
  end
  same(rows(100), {
    " one │ one",
    " ▎ two │ ▎ new",
    " ▎ of what was │",
    " │ ▎ word word word word word word word word",
    " │ word word word word word word word word word",
    " │ word word word end",
    " - │ 2",
    " three │ three",
    "~ │~",
  })
  same(vim.list_slice(rows(80), 4, 8), {
    " │ ▎ word word word word word word",
    " │ word word word word word word word",
    " │ word word word word word word word",
    " │ end",
    " - │ 2",
  })
end)
