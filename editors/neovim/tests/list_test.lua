local harness = require("harness")
local test, same = harness.test, harness.same

local function propose_three(child)
  for number = 1, 3 do
    local label = ("dir/%d.ts"):format(number)
    child:propose({ id = tostring(number), label = label, filePath = "/app/" .. label })
  end
end

local function here(child)
  return child:lua("return vim.fn.bufname()")
end

---One turn, of which two proposals wait.
local function tell_turn(child, ahead)
  child:lua(
    [[handlers["companion/status"]({ port = 1, env = {}, sessions = {}, diffs = {},
      turns = { { id = "7", agent = "Gemini CLI", waiting = { "2", "3" }, decided = 1, ahead = ... } } })]],
    ahead
  )
end

---Answers the next questions, and records them.
local function answer(child, choice)
  child:lua(
    [[
    local choice = ...
    _G.questions = {}
    vim.fn.confirm = function(question, choices)
      table.insert(_G.questions, question .. " " .. choices)
      return choice
    end
    ]],
    choice
  )
end

local function items(child)
  return child:lua([[return vim.tbl_map(function(item)
    return ("%s|%d| %s"):format(item.module, item.lnum, item.text)
  end, vim.fn.getqflist())]])
end

test("keys go to the next proposal and to the one before", function(child)
  propose_three(child)
  child:keys(":IdeCompanion next<CR>")
  local seen = { here(child) }
  for _, key in ipairs({ "\\n", "\\n", "\\n", "\\p", "\\p" }) do
    child:keys(key)
    seen[#seen + 1] = here(child)
  end
  local one, two, three = "Gemini CLI: 1.ts", "Gemini CLI: 2.ts", "Gemini CLI: 3.ts"
  same(seen, { one, two, three, one, three, two })
end)

test("the quickfix list has proposals with size, agent and turn, and Enter goes to one in its own tab", function(child)
  propose_three(child)
  child:keys(":IdeCompanion next<CR>\\nGofour<Esc>gg\\c")
  child:keys("why?<CR>:tabfirst<CR>")
  tell_turn(child, { stopAt = {}, accepted = 1 })
  child:keys(":IdeCompanion list<CR>")
  same(child:lua("return { vim.bo.buftype, vim.api.nvim_win_get_height(0) }"), { "quickfix", 3 })
  same(items(child), {
    "dir/1.ts|2| +1 -1  Gemini CLI",
    "dir/2.ts|2| +2 -1  Gemini CLI, 2 of 3, ahead, edited by you, 1 comment",
    "dir/3.ts|2| +1 -1  Gemini CLI, 3 of 3, ahead",
  })
  same(child:lua([[return require("ide-companion").statusline()]]), " ahead")
  child:keys("G<CR>")
  same({ here(child), child:lua("return vim.fn.line('.')") }, { "Gemini CLI: 3.ts", 2 })
  child:keys(":w<CR>")
  same(child:sent("companion/diffAccepted")[1].id, "3")
  child:keys(":copen<CR>G<CR>")
  same(here(child), "Gemini CLI: 2.ts")
end)

test("Enter in a list of another command works as before", function(child)
  child:propose()
  child:keys(":IdeCompanion list<CR>")
  local path = harness.file("found.txt", "one\ntwo\n")
  child:lua([[vim.fn.setqflist({ { filename = ..., lnum = 2 } })]], path)
  child:keys("gg<CR>")
  same({ here(child), child:lua("return vim.fn.line('.')") }, { path, 2 })
end)

test("the location list has the changes of a proposal, and closes with it", function(child)
  local before = child:lua("return vim.api.nvim_get_current_win()")
  child:propose({ original = "one\ntwo\nthree\n", newContent = "1\ntwo\nfive\nsix\n" })
  child:keys(":IdeCompanion hunks<CR>")
  same(
    child:lua([[return vim.tbl_map(function(item) return { item.lnum, item.text } end, vim.fn.getloclist(0))]]),
    { { 1, "+1 -1  1" }, { 3, "+2 -1  five" } }
  )
  child:keys("G<CR>")
  same({ here(child), child:lua("return vim.fn.line('.')") }, { "Gemini CLI: main.ts", 3 })
  child:keys(":q<CR>")
  child:until_true("return #vim.api.nvim_list_wins() == 1")
  same(child:lua("return vim.api.nvim_get_current_win()"), before)
end)

test("all proposals, or the rest of one agent, are decided after a question that names the edited ones", function(child)
  propose_three(child)
  child:propose({ id = "4", agent = "Another Agent", label = "4.ts", filePath = "/app/4.ts" })
  child:keys(":IdeCompanion next<CR>Gofour<Esc>")
  answer(child, 2)
  child:keys(":IdeCompanion reject_all<CR>")
  same(child:sent("companion/diffRejected"), {})
  same(child:lua("return questions"), {
    "Reject 4 proposals?\n  dir/1.ts, edited by you\n  dir/2.ts\n  dir/3.ts\n  4.ts &Reject\n&Cancel",
  })
  answer(child, 1)
  child:keys(":IdeCompanion accept_rest<CR>")
  child:until_true("return #require('ide-companion.proposal').waiting == 1")
  same(child:lua("return questions[1]"):match("^[^\n]*"), "Accept 3 proposals of Gemini CLI?")
  same(
    vim.tbl_map(function(sent)
      return sent.id
    end, child:sent("companion/diffAccepted")),
    { "1", "2", "3" }
  )
  child:keys(":IdeCompanion accept_all<CR>")
  child:until_true("return #require('ide-companion.proposal').waiting == 0")
  same(child:sent("companion/diffAccepted")[4].id, "4")
end)

test("the rest of a turn is accepted ahead after a question, except for some files, until a command", function(child)
  propose_three(child)
  tell_turn(child)
  answer(child, 2)
  child:keys(":IdeCompanion next<CR>\\n:IdeCompanion accept_ahead *.lock db/<CR>")
  same(child:sent("companion/acceptRest"), {})
  same(child:lua("return questions"), {
    "Accept what Gemini CLI proposes until its turn ends, except for *.lock db/? Now:"
      .. "\n  dir/2.ts\n  dir/3.ts &Accept\n&Cancel",
  })
  answer(child, 1)
  child:keys(":IdeCompanion accept_ahead *.lock db/<CR>")
  same(child:sent("companion/acceptRest"), { { turn = "7", stopAt = { "*.lock", "db/" } } })
  tell_turn(child, { stopAt = {}, accepted = 0 })
  child:keys(":IdeCompanion stop_ahead<CR>")
  same(child:sent("companion/stopAccepting"), { { turn = "7" } })
end)

test("without a proposal each command says so", function(child)
  child:lua([[require("ide-companion").start()]])
  for _, command in ipairs({ "list", "hunks", "accept_rest", "accept_ahead", "previous" }) do
    child:keys((":messages clear<CR>:IdeCompanion %s<CR>"):format(command))
    child:until_true([[return vim.fn.execute("messages"):find("No proposal waits for you") ~= nil]])
  end
end)

test("the quickfix list follows decisions and proposals that come, and :cc finds all that it has", function(child)
  propose_three(child)
  child:keys(":IdeCompanion list<CR>:cclose<CR>:IdeCompanion next<CR>:w<CR>")
  child:settle()
  child:propose({ id = "4", label = "dir/4.ts" })
  local text = " +1 -1  Gemini CLI"
  same(items(child), { "dir/2.ts|2|" .. text, "dir/3.ts|2|" .. text, "dir/4.ts|2|" .. text })
  child:lua([[vim.cmd("cc 1")]])
  same(here(child), "Gemini CLI: 2.ts")
end)

test("what is accepted ahead is not announced as if it waited", function(child)
  child:lua([[require("ide-companion").start()]])
  tell_turn(child, { stopAt = {}, accepted = 0 })
  child:propose({ id = "4" })
  child:lua([[handlers["companion/closeDiff"]({ id = "4", reason = "agent" }) vim.wait(600)]])
  same(child:lua([[return vim.fn.execute("messages"):find("proposes") ~= nil]]), false)
end)
