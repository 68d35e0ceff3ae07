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

---What the server says of those that wait, and of its agents. @param texts table<string, string> by id
local function tell(child, texts, ahead)
  child:lua(
    [[
    local texts, ahead = ...
    lists.waiting = {}
    for _, id in ipairs(vim.fn.sort(vim.tbl_keys(texts))) do
      local hunk = { id = "", line = 2, text = "Gemini CLI: " .. texts[id] }
      table.insert(lists.waiting, { id = id, label = ("dir/%s.ts"):format(id), text = texts[id], hunks = { hunk } })
    end
    handlers["companion/status"]({ port = 1, env = {}, sessions = {}, diffs = {}, ahead = ahead, line = "ahead 100%" })
    ]],
    texts,
    ahead or {}
  )
  child:settle()
end

---What the server answers to an action: a question, and then something else.
local function asks(child, action, question, done)
  child:lua(
    [[
    local action, question, done = ...
    acts[action] = function(params)
      return params.sure and done or { ask = { question = question, yes = "Accept" } }
    end
    ]],
    action,
    question,
    done
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

test("the quickfix list has what the server says of proposals, and Enter goes to one in its own tab", function(child)
  propose_three(child)
  child:keys(":IdeCompanion next<CR>\\nGofour<Esc>")
  tell(child, { ["1"] = "+1 -1", ["2"] = "+2 -1, 2 of 3, ahead, edited by you", ["3"] = "+1 -1, 3 of 3, ahead" })
  child:keys(":tabfirst<CR>:IdeCompanion list<CR>")
  same(child:lua("return { vim.bo.buftype, vim.api.nvim_win_get_height(0) }"), { "quickfix", 3 })
  same(items(child), {
    "dir/1.ts|2| Gemini CLI: +1 -1",
    "dir/2.ts|2| Gemini CLI: +2 -1, 2 of 3, ahead, edited by you",
    "dir/3.ts|2| Gemini CLI: +1 -1, 3 of 3, ahead",
  })
  -- The list comes after what was typed; what is open may be reported at any time.
  local methods = child:lua([[return vim.tbl_filter(function(method)
    return method ~= "companion/context"
  end, vim.tbl_map(function(message) return message.method end, sent))]])
  same(vim.list_slice(methods, #methods - 1), { "companion/draft", "companion/list" })
  same(child:lua([[return require("ide-companion").statusline()]]), "ahead 100")
  child:keys("G<CR>")
  same({ here(child), child:lua("return vim.fn.line('.')") }, { "Gemini CLI: 3.ts", 2 })
  child:keys(":w<CR>")
  same(child:sent("companion/diffAccepted")[1].id, "3")
  tell(child, { ["1"] = "+1 -1", ["2"] = "+2 -1, edited by you" })
  child:keys(":copen<CR>G<CR>")
  same(here(child), "Gemini CLI: 2.ts")
end)

test("Enter in a list of another command works as before", function(child)
  child:propose()
  tell(child, { ["1"] = "+1 -1" })
  child:keys(":IdeCompanion list<CR>")
  local path = harness.file("found.txt", "one\ntwo\n")
  child:lua([[vim.fn.setqflist({ { filename = ..., lnum = 2 } })]], path)
  child:keys("gg<CR>")
  same({ here(child), child:lua("return vim.fn.line('.')") }, { path, 2 })
end)

test("all proposals, or the rest of one agent, are decided after a question, with comments", function(child)
  propose_three(child)
  child:keys(":IdeCompanion next<CR>Gofour<Esc>\\cwhy?<CR>")
  asks(child, "reject", "Reject 3 proposals?\n  dir/1.ts, edited by you", {})
  answer(child, 2)
  child:keys(":IdeCompanion reject_all<CR>")
  same(child:lua("return questions"), { "Reject 3 proposals?\n  dir/1.ts, edited by you &Accept\n&Cancel" })
  same(child:sent("companion/act"), { { list = "waiting", id = "", action = "reject" } })
  asks(child, "accept-agent", "Accept 2 proposals?", { decide = { accept = true, ids = { "1", "3", "9" } } })
  answer(child, 1)
  child:keys(":IdeCompanion accept_rest<CR>")
  child:until_true("return #require('ide-companion.proposal').waiting == 1")
  same(child:sent("companion/act")[3], { list = "waiting", id = "1", action = "accept-agent", sure = true })
  same(
    vim.tbl_map(function(sent)
      return { sent.id, sent.withComments or false }
    end, child:sent("companion/diffAccepted")),
    { { "1", true }, { "3", false } }
  )
  same(child:sent("companion/diffRejected"), {})
end)

test("the rest of a turn is accepted ahead after the server's question, except for some files", function(child)
  propose_three(child)
  local done = { message = "The rest is accepted", next = "stop-ahead" }
  asks(child, "accept-ahead", "Accept what Gemini CLI proposes?", done)
  answer(child, 1)
  child:keys(":IdeCompanion next<CR>\\n:IdeCompanion accept_ahead *.lock db/<CR>")
  child:settle()
  local act = { list = "waiting", id = "2", action = "accept-ahead", stopAt = { "*.lock", "db/" } }
  same(child:sent("companion/act"), { act, vim.tbl_extend("error", act, { sure = true }) })
  same(child:row(0), "The rest is accepted   :IdeCompanion stop_ahead")
  child:lua([[acts["stop-ahead"] = { message = "You decide about Gemini CLI again." }]])
  child:keys(":IdeCompanion stop_ahead<CR>")
  child:settle()
  same(child:row(0), "You decide about Gemini CLI again.")
end)

test("without a proposal each command says so", function(child)
  child:lua([[require("ide-companion").start()]])
  for _, command in ipairs({ "list", "accept_rest", "accept_ahead", "previous" }) do
    child:keys((":messages clear<CR>:IdeCompanion %s<CR>"):format(command))
    child:until_true([[return vim.fn.execute("messages"):find("No proposal waits for you") ~= nil]])
  end
end)

test("the quickfix list follows what the server says, and :cc finds all that it has", function(child)
  propose_three(child)
  tell(child, { ["1"] = "+1 -1", ["2"] = "+1 -1", ["3"] = "+1 -1" })
  child:keys(":IdeCompanion list<CR>")
  child:keys("G")
  tell(child, { ["2"] = "+1 -1", ["3"] = "+1 -1" })
  same(child:lua("return vim.fn.line('.')"), 2) -- still on the same proposal
  child:keys(":cclose<CR>")
  child:propose({ id = "4", label = "dir/4.ts" })
  tell(child, { ["2"] = "+1 -1, 2 of 3", ["4"] = "+1 -1, 3 of 3" })
  same(items(child), { "dir/2.ts|2| Gemini CLI: +1 -1, 2 of 3", "dir/4.ts|2| Gemini CLI: +1 -1, 3 of 3" })
  child:lua([[vim.cmd("cc 1")]])
  same(here(child), "Gemini CLI: 2.ts")
end)

test("what is accepted ahead is not announced as if it waited", function(child)
  child:lua([[require("ide-companion").start()]])
  tell(child, {}, { "Gemini CLI" })
  child:propose({ id = "4" })
  child:lua([[handlers["companion/closeDiff"]({ id = "4", words = "Gemini CLI has taken this back" }) vim.wait(600)]])
  same(child:lua([[return vim.fn.execute("messages"):find("proposes") ~= nil]]), false)
end)
