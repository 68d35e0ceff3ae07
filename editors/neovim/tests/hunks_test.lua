local harness = require("harness")
local test, same = harness.test, harness.same

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
  same(child:layout(), { tabs = 2, wins = 2 })
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
