local harness = require("harness")
local test, same = harness.test, harness.same

local function select(child, lines, keys)
  child:lua(
    [[
    vim.cmd.enew()
    vim.api.nvim_buf_set_lines(0, 0, -1, true, ...)
    ]],
    lines
  )
  child:keys(keys)
  return child:lua([[return require("ide-companion.selection").text(vim.api.nvim_get_mode().mode)]])
end

test("without a selection there is no text", function(child)
  same(select(child, { "one" }, "l"), vim.NIL)
end)

test("a selection of characters holds the one under the cursor, whatever its bytes", function(child)
  same(select(child, { "aé😀b" }, "lvl"), "é😀")
end)

test("a selection that was made backwards is the same", function(child)
  same(select(child, { "one two", "three" }, "jwvk0w"), "two\nthree")
end)

test("a selection up to the line break has it", function(child)
  same(select(child, { "one", "two" }, "v$"), "one\n")
end)

test("with 'selection' exclusive the character under the cursor is not in it", function(child)
  child:lua([[vim.o.selection = "exclusive"]])
  same(select(child, { "abcd" }, "lvll"), "bc")
end)

test("a selection of lines has their breaks", function(child)
  same(select(child, { "one", "two", "three" }, "jlVj"), "two\nthree\n")
end)

test("a block is cut by screen cells, through wide characters and short lines", function(child)
  same(select(child, { "abcdef", "a", "日本語x", "abcdef" }, "ll<C-v>jjjl"), "cd\n\n本\ncd")
end)

test("with 'selection' exclusive the last column of a block is not in it", function(child)
  child:lua([[vim.o.selection = "exclusive"]])
  same(select(child, { "abcdef", "abcdef" }, "l<C-v>jll"), "bc\nbc")
end)

test("a block beyond the ends of its lines", function(child)
  child:lua([[vim.o.virtualedit = "block"]])
  same(select(child, { "ab", "abcdef", "a" }, "l<C-v>jjlll"), "b\nbcde\n")
end)

test("a block to the ends of its lines", function(child)
  same(select(child, { "abc", "abcdef" }, "l<C-v>j$"), "bc\nbcdef")
end)

test("a combining character stays with its letter", function(child)
  same(select(child, { "e\204\129x" }, "vl"), "e\204\129x")
  same(select(child, { "e\204\129x" }, "v"), "e\204\129")
end)

test("of a huge selection no more is read than an agent accepts", function(child)
  local line = ("x"):rep(1000)
  local lines = {}
  for _ = 1, 5000 do
    lines[#lines + 1] = line
  end
  local text = select(child, lines, "VG")
  assert(#text > 16384 and #text < 60000, #text)
end)

test("the cursor counts UTF-16 units from 1", function(child)
  child:lua([[
    vim.cmd.enew()
    vim.api.nvim_buf_set_lines(0, 0, -1, true, { "é😀b" })
  ]])
  child:keys("$")
  same(child:lua([[return require("ide-companion.selection").cursor()]]), { line = 1, character = 4 })
end)
