local harness = require("harness")
local test, same = harness.test, harness.same

local function comment(first, last, quote, text, id)
  return { id = id or "1", side = "proposed", startLine = first, endLine = last, quote = quote, text = text }
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

test("comments on a line and on selected lines are saved, shown, and sent with a rejection", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "why two?", "too long")
  child:keys("2G\\c")
  child:keys("ggVj\\c")
  local two = comment(2, 2, "2", "why two?")
  local saved = child:sent("companion/comments")
  same(saved[1], { id = "1", comments = { two } })
  -- On a line that has a comment the same key changes it.
  same(child:lua("return asked"), { { "Comment on line 2: ", "" }, { "Comment on lines 1-2: ", "" } })
  same(saved[2].comments, { two, comment(1, 2, "one\n2", "too long", "2") })
  same(child:bar():find("2 comments", 1, true) ~= nil, true)
  child:keys(":IdeCompanion say_why<CR>")
  same(child:sent("companion/diffRejected"), { { id = "1", comments = saved[2].comments } })
end)

test("a comment follows its line, is changed on it, and deleted by an empty text", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "why?", "what for?", false, "")
  child:keys("2G\\cggOnew<Esc>3G\\c")
  same(child:sent("companion/comments")[2].comments, { comment(3, 3, "2", "what for?") })
  same(child:lua("return asked[2]"), { "Comment on line 3: ", "why?" })
  child:keys("\\c")
  same(#child:sent("companion/comments"), 2)
  child:keys("\\c")
  local saved = child:sent("companion/comments")
  same(saved[#saved].comments, {})
end)

test("what is written about a proposal in another view is shown, changed and deleted here too", function(child)
  local function update(comments, deleted)
    local params = { id = "1", comments = comments, deleted = deleted }
    child:lua([[handlers["companion/updateComments"](...)]], params)
  end
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "why?", "from the page!", "")
  child:keys("2G\\c")
  local mine, page = comment(2, 2, "2", "why not?"), comment(1, 1, "one", "from the page", "p")
  local on_all = comment(0, 0, "", "too much", "all")
  update({ mine, page, on_all }, {})
  same(child:bar():find("3 comments", 1, true) ~= nil, true)
  local rows = {}
  for row = 3, 7 do
    rows[#rows + 1] = child:row(row):gsub("%s+", " ")
  end
  same(rows, { " one │ ▎ one", " │ ▎ too much", " │ ▎ from the page", " two │ ▎ 2", " │ ▎ why not?" })
  child:keys("1G\\c")
  page.text = "from the page!"
  same(child:sent("companion/comments")[2].comments, { mine, page, on_all })
  update({}, { "1", "all" })
  child:keys("1G\\c")
  same(child:sent("companion/comments")[3].comments, {})
end)

test("an acceptance carries comments on the side on disk as well; a plain one carries none", function(child)
  child:propose()
  child:propose({ id = "2", label = "other.ts" })
  child:lua([[require("ide-companion").diff()]])
  answers(child, "keep this")
  child:keys("<C-w>h2G\\c")
  local kept = { id = "1", side = "original", startLine = 2, endLine = 2, quote = "two", text = "keep this" }
  child:keys("\\A")
  child:lua([[require("ide-companion").accept()]])
  child:settle()
  same(child:sent("companion/diffAccepted"), {
    { id = "1", content = "one\n2\nthree\n", comments = { kept } },
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

test("a comment stays with its lines when :e! restores the text of the agent", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  answers(child, "why two?", "why three?")
  child:keys("2G\\c3G\\c")
  child:keys("ggOnew<Esc>:e!<CR>")
  child:keys("\\R")
  same(child:sent("companion/diffRejected")[1].comments, {
    comment(2, 2, "2", "why two?"),
    comment(3, 3, "three", "why three?", "2"),
  })
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
