local harness = require("harness")
local test, same = harness.test, harness.same

local reason = "Toy takes no edits: it writes its own text."
local fields = { agent = "Toy", readOnlyReason = reason }

test("a proposal whose agent takes no edits is read-only, says why, and is accepted as proposed", function(child)
  child:propose(fields)
  child:lua([[require("ide-companion").diff()]])
  same(child:lua("return vim.bo.modifiable"), false)
  same(child:row(0), reason .. "   :IdeCompanion edit")
  same(child:bar():find(":w accepts  :q rejects  read-only", 1, true) ~= nil, true)
  child:keys("Atyped<Esc>:w<CR>")
  same(child:sent("companion/diffAccepted"), { { id = "1", content = "one\n2\nthree\n" } })
end)

test("of a new file the line above it has the whole sentence", function(child)
  child:propose(vim.tbl_extend("force", fields, { original = false }))
  child:lua([[require("ide-companion").diff()]])
  same(child:bar():find("read-only  Toy: main.ts  " .. reason, 1, true) ~= nil, true)
end)

test(":IdeCompanion edit makes it editable, and accepting says that it is the user's own version", function(child)
  child:propose(fields)
  child:keys(":IdeCompanion edit<CR>")
  same(child:lua("return vim.bo.modifiable"), true)
  local message = ":w lets Toy write its own text, then :IdeCompanion edits offers yours"
  same(child:row(0):find(message, 1, true) ~= nil, true)
  same(child:bar():find("read-only", 1, true), nil)
  child:keys("GA mine<Esc>:w<CR>")
  local accepted = { { id = "1", content = "one\n2\nthree mine\n", ownVersion = true } }
  same(child:sent("companion/diffAccepted"), accepted)
end)

test("what was typed last reaches the companion before a rejection", function(child)
  child:propose(fields)
  child:keys(":IdeCompanion edit<CR>GA mine<Esc>:IdeCompanion reject<CR>")
  child:settle()
  same(child:sent("companion/draft"), { { id = "1", content = "one\n2\nthree mine\n" } })
  same(child:sent("companion/diffRejected"), { { id = "1" } })
end)

test(":e! brings back the text of the agent, read-only as before", function(child)
  child:propose(fields)
  child:lua([[require("ide-companion").diff()]])
  child:keys(":e!<CR>")
  same(child:lua("return { vim.bo.modifiable, vim.bo.modified }"), { false, false })
end)
