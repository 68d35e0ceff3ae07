local harness = require("harness")
local test, same = harness.test, harness.same

test("closed by its agent it gives back its text, edits and all", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:keys("Gofour<Esc>")
  local answer = child:lua([[return handlers["companion/closeDiff"]({ id = "1", words = "It is over" })]])
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
  child:lua([[handlers["companion/closeDiff"]({ id = "1", words = "Gemini CLI has replaced this" })]])
end

---The user is back, and nothing of what was typed has reached their file.
local function expect_untouched(child)
  child:until_true([[return #vim.api.nvim_list_tabpages() == 1]])
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  same(child:lua([[return vim.api.nvim_buf_get_lines(0, 0, -1, true)]]), { "my file", "of more lines" })
end

---How the user types, leaves what they type, and what is there then.
local typed = {
  ["Gofour"] = { " more<Esc>", "one|2|three|four more" },
  ["R"] = { "XX<Esc>", "one|XX|three" },
  ["gh"] = { "X<Esc>", "one|X|three" },
  ["<C-w>sGofour"] = { " more<Esc>", "one|2|three|four more" },
  ["Gofive "] = { "words<C-o>:tabfirst<CR><Esc>", "one|2|three|five words" },
}
for keys, rest in pairs(typed) do
  test("who types " .. keys .. " into a diff that its agent closes ends their words there", function(child)
    close_under(child, keys)
    child:settle()
    same(child:layout().tabs, 2)
    same(child:bar(), ":q closes  Gemini CLI has replaced this")
    child:keys(rest[1])
    expect_untouched(child)
    same(child:saved_texts(), { { "Your text: main.ts", rest[2] } })
    local said = child:lua([[return vim.fn.execute("messages")]])
    assert(said:find("Gemini CLI has replaced this: main.ts. Your edits are saved in buffer", 1, true), said)
  end)
end

for begin, rest in pairs({ ggd = "d", [":%s/e/XX/g"] = "<CR>", [":1,$d"] = "<CR>" }) do
  test("who is typing " .. begin .. " in a diff that its agent closes finishes it there", function(child)
    close_under(child, begin)
    child:keys(rest)
    expect_untouched(child)
  end)
end
