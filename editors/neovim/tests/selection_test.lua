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
  return child:lua([[return (require("ide-companion.selection").selected(vim.api.nvim_get_mode().mode))]])
end

---The text in the range of the selection, cut as an agent does: by lines and UTF-16 units.
local function text_in_range(child)
  return child:lua([[
    local _, start, behind = require("ide-companion.selection").selected(vim.api.nvim_get_mode().mode)
    local lines = vim.split(require("ide-companion.text").get(0), "\n", { plain = true })
    local function offset(position)
      local before = table.concat(vim.list_slice(lines, 1, position.line - 1), "\n")
      local line = lines[position.line]
      assert(line, "there is no line " .. position.line)
      local byte = position.line > 1 and 1 or 0
      return #before + byte + vim.str_byteindex(line, position.character - 1, true)
    end
    return table.concat(lines, "\n"):sub(offset(start) + 1, offset(behind))
  ]])
end

---@return integer[] line and character of its start, then of what follows it
local function range(child)
  return child:lua([[
    local _, start, behind = require("ide-companion.selection").selected(vim.api.nvim_get_mode().mode)
    return { start.line, start.character, behind.line, behind.character }
  ]])
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

for _, case in ipairs({
  { "characters", { "aé😀b" }, "lvl", { 1, 2, 1, 5 } },
  { "characters that were selected backwards", { "😀 two", "three" }, "jwvk0w", { 1, 4, 2, 6 } },
  { "a line with its break", { "one", "two" }, "v$", { 1, 1, 2, 1 } },
  { "up to the first column", { "one", "two" }, "vj0", { 1, 1, 2, 2 } },
  { "a combining character", { "e\204\129x" }, "v", { 1, 1, 1, 3 } },
  { "lines", { "one", "two", "three" }, "jlVj", { 2, 1, 4, 1 } },
  { "an empty line", { "one", "", "three" }, "jV", { 2, 1, 3, 1 } },
}) do
  test("the range of a selection holds its text: " .. case[1], function(child)
    local text = select(child, case[2], case[3])
    same(range(child), case[4])
    same(text_in_range(child), text)
  end)
end

test("the range of a selection holds its text with 'selection' exclusive", function(child)
  child:lua([[vim.o.selection = "exclusive"]])
  local text = select(child, { "a😀cd" }, "lvll")
  same({ text, text_in_range(child) }, { "😀c", "😀c" })
end)

test("the break that the last line of a file does not have is not selected", function(child)
  for _, keys in ipairs({ "jv$", "jV" }) do
    child:lua("vim.cmd.enew() vim.bo.fixendofline = false vim.bo.endofline = false")
    child:lua("vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'one', 'two' })")
    child:keys(keys)
    same(range(child), { 2, 1, 2, 4 })
    same(text_in_range(child), "two")
    child:keys("<Esc>")
  end
end)

test("the range of a block goes from its first to its last character", function(child)
  select(child, { "abcdef", "a", "日本語x", "😀bcdef" }, "ll<C-v>jjjl")
  same(range(child), { 1, 3, 4, 5 })
end)

test("the range of a huge selection has all of it", function(child)
  local lines = {}
  for _ = 1, 5000 do
    lines[#lines + 1] = ("x"):rep(1000)
  end
  select(child, lines, "VG")
  same(range(child), { 1, 1, 5001, 1 })
  child:keys("<Esc>ggv")
  child:keys("G$h")
  same(range(child), { 1, 1, 5000, 1001 })
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
