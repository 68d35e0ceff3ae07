local harness = require("harness")
local test, same = harness.test, harness.same

local status = [[handlers["companion/status"]({ port = 4711, env = { IDE_TEST_PORT = "4711" },
  sessions = { { agent = "Gemini CLI", connectedAt = 1 } }, diffs = { {} }, line = "Gemini CLI (1)" })]]

---Agents run in terminals here that print their command, and then each byte as it comes.
local function with_agents(child)
  local program = harness.file("agent", "#!/bin/sh\necho agent \"$@\"\nstty -icanon -echo\nexec cat -v\n")
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
    answers["companion/send"] = { message = "It is {place}", copy = "@a.txt ", types = true }
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

test("the companion puts a reference into the prompt of an agent that supports it", function(child)
  local path = harness.file("a b.txt", "1\n2\n3\n")
  child:lua("vim.cmd.edit(vim.fn.fnameescape(...))", path)
  child:lua([[answers["companion/send"] = { message = "The prompt of Another Agent has the reference" }]])
  child:lua([[require("ide-companion").start()]])
  child:keys(":2,3IdeCompanion send<CR>")
  child:until_true([[return vim.fn.execute("messages"):find("The prompt of Another Agent has the reference") ~= nil]])
  child:keys(":%IdeCompanion send<CR>")
  local lines = { first = 2, last = 3 }
  local folder = child:lua("return vim.fn.getcwd()")
  same(child:sent("companion/send"), {
    { folder = folder, mentions = { { path = path, lines = lines } } },
    { folder = folder, mentions = { { path = path } } },
  })
end)

---What the companion is asked to send, and from which folder it is typed otherwise.
local function asked(child)
  return child:sent("companion/send")
end

test("what no connected agent takes is typed into the terminal here, and copied where there is none", function(child)
  with_agents(child)
  edit(child, "a.txt")
  child:keys(":IdeCompanion send<CR>")
  child:until_true([[return vim.fn.execute("messages"):find('It is in register "', 1, true) ~= nil]])
  same(child:lua([[return vim.fn.getreg('"')]]), "@a.txt ")
  run_agent(child)
  child:keys(":IdeCompanion send<CR>")
  until_typed(child, "^[[200~@a.txt ^[[201~")
  child:until_true([[return vim.fn.execute("messages"):find("The prompt of Gemini CLI has it") ~= nil]])
end)

test("what is kept from agents is neither typed nor copied, and the reason is shown", function(child)
  with_agents(child)
  edit(child, "a.txt")
  child:lua([[answers["companion/send"] = { message = ".env is kept from agents, and was not sent." }]])
  run_agent(child)
  child:keys(":IdeCompanion send_text why?<CR>")
  child:until_true([[return vim.fn.execute("messages"):find(".env is kept from agents", 1, true) ~= nil]])
  same(child:lua([[return vim.fn.getreg('"')]]), "")
  local lines = child:lua([[return vim.api.nvim_buf_get_lines(vim.fn.bufnr("Gemini CLI"), 0, -1, true)]])
  same(table.concat(lines):find("why", 1, true), nil)
end)

test("files and folders are sent by name", function(child)
  with_agents(child)
  local folder = vim.fs.dirname(edit(child, "a.txt"))
  vim.fn.mkdir(folder .. "/sub folder")
  child:keys(":IdeCompanion send a.txt sub\\ folder/<CR>")
  same(asked(child), {
    { folder = folder, mentions = { { path = folder .. "/a.txt" }, { path = folder .. "/sub folder" } } },
  })
end)

test("a file whose name looks like a pattern is sent as it is, also when it is ignored", function(child)
  with_agents(child)
  local folder = vim.fs.dirname(edit(child, "a.txt"))
  for _, name in ipairs({ "[id].ts", "i.ts", "x.o", "y.o", "b c.txt" }) do
    vim.fn.writefile({}, folder .. "/" .. name)
  end
  child:lua([[vim.o.wildignore = "*.o"]])
  child:keys(":IdeCompanion send [id].ts x.o y.o<CR>")
  same(asked(child)[1].mentions, {
    { path = folder .. "/[id].ts" },
    { path = folder .. "/x.o" },
    { path = folder .. "/y.o" },
  })
  for _, typed in ipairs({ "b", "b\\ c" }) do
    same(child:lua([[return vim.fn.getcompletion("IdeCompanion send " .. ..., "cmdline")]], typed), { "b\\ c.txt" })
  end
end)

test("a file that is not there is not sent", function(child)
  with_agents(child)
  edit(child, "a.txt")
  child:keys(":IdeCompanion send nothere.txt<CR>")
  same(child:row(0), "There is no nothere.txt")
  same(asked(child), {})
end)

test("diagnostics are sent of a line or of the file", function(child)
  with_agents(child)
  local path = edit(child, "a.txt")
  child:keys(":2IdeCompanion send_diagnostics<CR>:%IdeCompanion send_diagnostics<CR>")
  local folder = vim.fs.dirname(path)
  local all = { first = 1, last = child:lua("return vim.fn.line('$')") }
  same(asked(child), {
    { folder = folder, diagnostics = { path = path, lines = { first = 2, last = 2 } } },
    { folder = folder, diagnostics = { path = path, lines = all } },
  })
end)

test("a text is sent with or without lines, as one paste, and nothing presses Enter", function(child)
  with_agents(child)
  local path = edit(child, "a.txt")
  run_agent(child)
  child:lua([[answers["companion/send"] = { message = "", copy = "why so? ", types = true }]])
  child:keys(":IdeCompanion send_text why so?<CR>")
  until_typed(child, "^[[200~why so? ^[[201~")
  child:lua([[answers["companion/send"] = { message = "", copy = "shorter\n@a.txt (lines 2-3) ", types = true }]])
  child:keys(":2,3IdeCompanion send_text shorter<CR>")
  until_typed(child, "^[[200~shorter")
  until_typed(child, "@a.txt (lines 2-3) ^[[201~")
  child:lua([[vim.ui.input = function(_, on_answer) on_answer("asked") end]])
  child:keys(":IdeCompanion send_text<CR>")
  local folder = vim.fs.dirname(path)
  local lines = { first = 2, last = 3 }
  same(asked(child), {
    { folder = folder, text = "why so?" },
    { folder = folder, text = "shorter", mentions = { { path = path, lines = lines } } },
    { folder = folder, text = "asked" },
  })
end)
