local harness = require("harness")
local test, same = harness.test, harness.same

---A proposal whose file gets another first line, and is merged.
local function update(child, fields)
  return child:lua([[return handlers["companion/updateDiff"](compared(...))]], vim.tbl_extend("force", {
    id = "1",
    original = "one of a colleague\ntwo\nthree\n",
    notes = {},
    newContent = "one of a colleague\n2\nthree\n",
    seen = "one\n2\nthree\n",
    content = "one of a colleague\n2\nthree\n",
    facts = {},
    words = { "main.ts has changed on disk.", "merged with the file as it is now", "merged" },
  }, fields or {}))
end

for _, layout in ipairs({ "vertical", "unified" }) do
  test("a file that changes under its proposal is merged, the cursor stays: " .. layout, function(child)
    child:lua([[require("ide-companion").setup({ diff = { layout = ... } })]], layout)
    child:propose()
    child:lua([[require("ide-companion").diff()]])
    child:keys("Gll")
    same(update(child), { content = "one of a colleague\n2\nthree\n" })
    local texts = child:texts_of_tab()
    same(texts[#texts], "one of a colleague|2|three")
    if layout == "vertical" then
      same(texts[1], "one of a colleague|two|three")
    end
    same(child:lua("return { vim.fn.line('.'), vim.fn.col('.'), vim.bo.modified }"), { 3, 3, false })
    assert(child:bar():find("merged", 1, true), child:bar())
    child:keys(":w<CR>")
    same(child:sent("companion/diffAccepted"), { { id = "1", content = "one of a colleague\n2\nthree\n" } })
  end)
end

test("what was typed stays when the file changes, and can be undone", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>")
  local content = "one of a colleague\n2\nthree\nfour\n"
  same(update(child, { seen = "one\n2\nthree\nfour\n", content = content }), { content = content })
  same(child:lua("return vim.bo.modified"), true)
  child:keys("uu")
  same(child:texts_of_tab()[2], "one|2|three")
end)

test("nothing changes under a user who types, or who has typed more than the companion knows", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("i")
  same(update(child), { content = "one\n2\nthree\n" })
  child:keys("<Esc>Gofour<Esc>")
  same(update(child), { content = "one\n2\nthree\nfour\n" })
  same(child:texts_of_tab(), { "one|two|three", "one|2|three|four" })
end)

test("lines that clash are marked, and accepting them says why it is refused", function(child)
  child:lua([[result = { taken = false, reason = "Settle the marked lines first." }]])
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  update(child, {
    content = "<<<<<<< on disk\none\n=======\n2\n>>>>>>> proposed\n",
    words = { "main.ts has changed.", "clashes with the file", "in conflict" },
  })
  assert(child:bar():find("clashes", 1, true), child:bar())
  child:keys(":w<CR>")
  same({ child:row(0), child:layout().tabs }, { "Settle the marked lines first.", 2 })
end)

test("an acceptance that has taken more with it says so", function(child)
  child:lua([[result = { taken = true, notice = "Accepted together with what has changed in main.ts meanwhile." }]])
  child:propose()
  child:lua([[require("ide-companion").accept()]])
  child:settle()
  same(child:row(0), "Accepted together with what has changed in main.ts meanwhile.")
end)

test("a file that comes, goes or becomes empty under its proposal is compared as it is", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  update(child, { original = "", content = "", newContent = "", words = {} })
  same(child:texts_of_tab(), { "", "" })
  local content = "\239\187\191a\r\nb"
  same(update(child, { seen = "", content = content, newContent = content }), { content = content })
end)
