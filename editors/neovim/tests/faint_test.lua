local harness = require("harness")
local test, same = harness.test, harness.same

test("white space that changes alone is seen, also by a user whose 'diffopt' ignores it elsewhere", function(child)
  child:lua([[vim.o.diffopt = "internal,filler,iwhiteall,iblank"]])
  child:propose({ original = "a:\n\tb\n", newContent = "a:\n  b\n" })
  same(child:lua("return vim.o.diffopt"), "internal,filler,iwhiteall,iblank")
  child:lua([[require("ide-companion").diff()]])
  same(child:lua("return { vim.fn.diff_hlID(2, 1) > 0, vim.o.diffopt }"), { true, "internal,filler" })
  child:keys("gt")
  same(child:lua("return vim.opt.diffopt:get()"), { "internal", "filler", "iblank", "iwhiteall" })
end)

test("what a diff shows badly is said first, until the text is another one", function(child)
  child:propose({ facts = { "only the last newline" } })
  child:lua([[require("ide-companion").diff()]])
  local said = "only the last newline  :w accepts  :q rejects"
  same(child:bar():sub(1, #said), said)
  child:keys("x")
  vim.wait(5000, function()
    return child:bar():sub(1, 10) == ":w accepts"
  end)
  same(child:bar():sub(1, 10), ":w accepts")
end)

test("what acceptance costs is said first, before what a diff shows badly", function(child)
  child:propose({ facts = { "replaces 3 non-UTF-8 lines", "only white space" } })
  child:lua([[require("ide-companion").diff() vim.cmd("80 wincmd |") vim.o.columns = 80 vim.cmd.wincmd("=")]])
  same(child:bar(), "replaces 3 non-UTF-8 lines  :w yes  :q >")
end)
