local harness = require("harness")
local test, same = harness.test, harness.same

local status = [[handlers["companion/status"]({ port = 4711, env = { IDE_TEST_PORT = "4711" },
  sessions = { { agent = "Gemini CLI", connectedAt = 1 } }, diffs = { {} } })]]

---Agents run in terminals here that print their command and go on.
local function with_agents(child)
  local program = harness.file("agent", "#!/bin/sh\necho agent \"$@\"\nexec cat\n")
  vim.fn.setfperm(program, "rwx------")
  child:lua(
    [[
    local program = ...
    require("ide-companion").setup({ cmd = { program, "lsp" } })
    require("ide-companion").start()
    ]],
    program
  )
  child:lua(status)
end

---Opens a file of three lines in its folder. No agent takes references from an IDE. @return its path
local function edit(child, name)
  local path = harness.file(name, "1\n2\n3\n")
  child:lua(
    [[
    vim.cmd("silent edit " .. vim.fn.fnameescape(...))
    vim.cmd("silent cd %:h")
    answers["companion/mention"] = vim.empty_dict()
    ]],
    path
  )
  return path
end

---Starts an agent and goes back to the file.
local function run_agent(child)
  child:keys(":IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  child:keys("<C-\\><C-n><C-w>t")
end

---Waits until the terminal of the agent shows a text.
local function until_typed(child, text)
  child:until_true(
    [[
    local lines = vim.api.nvim_buf_get_lines(vim.fn.bufnr("Gemini CLI"), 0, -1, true)
    return table.concat(lines):find(..., 1, true) ~= nil
    ]],
    text
  )
end

test("nothing is sent of what is no file", function(child)
  child:lua([[
    _G.messages = {}
    vim.notify = function(text) table.insert(messages, text) end
    vim.cmd.IdeCompanion("send")
  ]])
  same(child:lua("return messages"), { "There is no file in this window whose lines could be sent." })
end)

test("a reference to lines is as agents read it", function(child)
  local function reference(...)
    return child:lua([[return require("ide-companion.send").reference(...)]], ...)
  end
  same(reference("/app/src/a b.ts", "/app", { first = 3, last = 9 }), "@src/a\\ b.ts#L3-L9")
  same(reference("/elsewhere/a.ts", "/app", { first = 3, last = 3 }), "@/elsewhere/a.ts#L3")
  same(reference("/app/a.ts", "/app"), "@a.ts")
end)

test("the companion puts a reference into the prompt of an agent that supports it", function(child)
  local path = harness.file("a b.txt", "1\n2\n3\n")
  child:lua("vim.cmd.edit(vim.fn.fnameescape(...))", path)
  child:lua([[answers["companion/mention"] = { agent = "Another Agent" }]])
  child:lua([[require("ide-companion").start()]])
  child:keys(":2,3IdeCompanion send<CR>")
  child:until_true([[return vim.fn.execute("messages"):find("The prompt of Another Agent has the reference") ~= nil]])
  child:keys(":%IdeCompanion send<CR>")
  local range = { start = { line = 2, character = 1 }, ["end"] = { line = 4, character = 1 } }
  same(child:sent("companion/mention"), { { path = path, range = range }, { path = path } })
end)

test("a reference is typed into the terminal of an agent that does not support more", function(child)
  with_agents(child)
  edit(child, "a b.txt")
  child:keys(":IdeCompanion send<CR>")
  child:until_true([[return vim.fn.execute("messages"):find("No agent here takes a reference") ~= nil]])
  child:keys(":IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  child:keys("<C-\\><C-n><C-w>h:%IdeCompanion send<CR>:2IdeCompanion send<CR><C-w>l")
  child:until_true([[return vim.fn.search("@a\\\\ b.txt @a\\\\ b.txt#L2", "w") > 0]])
end)

test("files and folders are sent by name", function(child)
  with_agents(child)
  local folder = vim.fs.dirname(edit(child, "a.txt"))
  vim.fn.mkdir(folder .. "/sub folder")
  run_agent(child)
  child:keys(":IdeCompanion send a.txt sub\\ folder/<CR>")
  until_typed(child, "@a.txt @sub\\ folder ")
  same(child:sent("companion/mention"), { { path = folder .. "/a.txt" }, { path = folder .. "/sub folder" } })
end)

local function set_diagnostics(child)
  child:lua([[vim.diagnostic.set(vim.api.nvim_create_namespace("x"), 0, {
    { lnum = 2, col = 0, severity = 2, message = "two\nlines\27[201~\r", source = "lint" },
    { lnum = 1, col = 0, severity = 1, message = "not found", source = "ts", code = 2304 },
  })]])
end

test("diagnostics are sent of a line or of the file, as one line without control characters", function(child)
  with_agents(child)
  edit(child, "a.txt")
  set_diagnostics(child)
  run_agent(child)
  child:keys(":2IdeCompanion send_diagnostics<CR>")
  until_typed(child, "@a.txt#L2 L2 error: not found (ts 2304) ")
  child:keys(":%IdeCompanion send_diagnostics<CR>")
  until_typed(child, "@a.txt L2 error: not found (ts 2304); L3 warning: two lines [201~  (lint) ")
  child:keys(":1IdeCompanion send_diagnostics<CR>")
  same(child:row(0):find("There are no diagnostics on these lines.", 1, true) ~= nil, true)
end)

test("a text is typed with or without lines, and nothing presses Enter", function(child)
  with_agents(child)
  edit(child, "a.txt")
  run_agent(child)
  child:keys(":IdeCompanion send_text why so?<CR>")
  until_typed(child, "why so? ")
  child:keys(":2,3IdeCompanion send_text shorter, please<CR>")
  until_typed(child, "why so? @a.txt#L2-L3 shorter, please ")
  child:lua([[vim.ui.input = function(_, on_answer) on_answer("asked") end]])
  child:keys(":IdeCompanion send_text<CR>")
  until_typed(child, "please asked ")
  -- `cat` repeats what is sent by Enter.
  local lines = child:lua([[return vim.api.nvim_buf_get_lines(vim.fn.bufnr("Gemini CLI"), 0, -1, true)]])
  local _, times = table.concat(lines):gsub("why so", "")
  same(times, 1)
end)

test("without an agent in a terminal here, a text is copied and a line says so", function(child)
  child:lua([[require("ide-companion").start()]])
  edit(child, "a.txt")
  child:keys(":2IdeCompanion send_text why?<CR>")
  same(child:lua([[return vim.fn.getreg('"')]]), "@a.txt#L2 why?")
  same(child:row(0):find("no agent runs in a terminal of Neovim", 1, true) ~= nil, true)
end)
