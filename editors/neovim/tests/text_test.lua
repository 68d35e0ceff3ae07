local harness = require("harness")
local test, same = harness.test, harness.same

local texts = {
  "",
  "\n",
  "\n\n",
  "one",
  "one\n",
  "one\ntwo",
  "one\r\ntwo\r\n",
  "one\r\ntwo",
  "\r\n",
  "one\r\ntwo\n",
  "\none\r\n",
  "\239\187\191with a mark\n",
  "\239\187\191",
  "\239\187\191\r\n",
  "nul \0 here\n",
  "tab\tand 😀\n",
  "lone\rreturn\n",
}

test("a text comes back from a buffer byte for byte", function(child)
  for _, content in ipairs(texts) do
    local back = child:lua(
      [[
      local buffer, text = vim.api.nvim_create_buf(false, true), require("ide-companion.text")
      text.put(buffer, ...)
      return text.get(buffer)
      ]],
      content
    )
    same(back, content)
  end
end)

test("what is typed into a text without a last newline leaves it without", function(child)
  child:lua([[
    vim.cmd.enew()
    require("ide-companion.text").put(0, "one\ntwo")
  ]])
  child:keys("Ax<Esc>")
  same(child:lua([[return require("ide-companion.text").get(0)]]), "onex\ntwo")
  same(child:lua([[return vim.bo.modified]]), true)
end)

test("undo does not empty a text", function(child)
  child:lua([[
    vim.cmd.enew()
    require("ide-companion.text").put(0, "one\n")
  ]])
  child:keys("u")
  same(child:lua([[return require("ide-companion.text").get(0)]]), "one\n")
end)
