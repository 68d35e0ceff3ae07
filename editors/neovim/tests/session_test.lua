local harness = require("harness")
local test, same = harness.test, harness.same

for _, layout in ipairs({ "vertical", "unified" }) do
  test("a session that was saved while a proposal waited restores nothing of it: " .. layout, function(child)
    local session = harness.file("session.vim", "")
    child:lua([[require("ide-companion").setup({ diff = { layout = ... } }) vim.cmd.edit("mine.txt")]], layout)
    child:propose()
    child:lua("vim.cmd('mksession! ' .. ...)", session)
    local other = harness.child()
    other:lua("vim.cmd.source(...)", session)
    other:settle()
    local seen = { other:layout(), other:lua("return vim.tbl_map(vim.fn.bufname, vim.api.nvim_list_bufs())") }
    other:stop()
    same(seen, { { tabs = 1, wins = 1 }, { "mine.txt" } })
  end)
end
