local harness = require("harness")
local test, same = harness.test, harness.same

test("closed by its agent it gives back its text, edits and all", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>")
  local answer = child:lua([[return handlers["companion/closeDiff"]({ id = "1", reason = "agent" })]])
  same(answer, { content = "one\n2\nthree\nfour\n" })
  child:settle()
  same(child:layout(), { tabs = 1, wins = 1 })
  same(child:sent("companion/diffRejected"), {})
end)

---A proposal in which the user types, and which its agent closes then.
local function close_under(child, keys)
  child:lua([[vim.api.nvim_buf_set_lines(0, 0, -1, true, { "my file", "of more lines" })]])
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys(keys)
  child:lua([[handlers["companion/closeDiff"]({ id = "1", reason = "agent" })]])
end

---The user is back, and nothing of what was typed has reached their file.
local function expect_untouched(child)
  child:until_true([[return #vim.api.nvim_list_tabpages() == 1]])
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  same(child:lua([[return vim.api.nvim_buf_get_lines(0, 0, -1, true)]]), { "my file", "of more lines" })
end

for _, keys in ipairs({ "Gofour", "Gofour<C-o>", "R", "gh", "<C-w>sGofour" }) do
  test("who types " .. keys .. " into a diff that its agent closes types nothing into something else", function(child)
    close_under(child, keys)
    expect_untouched(child)
  end)
end

for begin, rest in pairs({ ggd = "d", [":%s/e/XX/g"] = "<CR>", [":1,$d"] = "<CR>" }) do
  test("who is typing " .. begin .. " in a diff that its agent closes finishes it there", function(child)
    close_under(child, begin)
    child:keys(rest)
    expect_untouched(child)
  end)
end
