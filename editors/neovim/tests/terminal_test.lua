local harness = require("harness")
local test, same = harness.test, harness.same

local status = [[handlers["companion/status"]({ port = 4711, env = { IDE_TEST_PORT = "4711" },
  sessions = { { agent = "Gemini CLI", connectedAt = 1 } }, diffs = { {} } })]]

---Agents run in terminals here that print their command and go on.
local function with_agents(child, options)
  local program = harness.file("agent", "#!/bin/sh\necho agent \"$@\"\nexec cat\n")
  vim.fn.setfperm(program, "rwx------")
  child:lua(
    [[
    local program, terminal = ...
    require("ide-companion").setup({ cmd = { program, "lsp" }, terminal = terminal })
    require("ide-companion").start()
    ]],
    program,
    options or {}
  )
  child:lua(status)
end

---What the windows of the tab show, each with its width.
local function windows_of_tab(child)
  return child:lua([[return vim.tbl_map(function(window)
    local name = vim.fn.bufname(vim.api.nvim_win_get_buf(window))
    return { name, vim.api.nvim_win_get_width(window) }
  end, vim.api.nvim_tabpage_list_wins(0))]])
end

test("an agent is started when the server is there, and not later when there is none", function(child)
  child:lua([[
    require("ide-companion").setup({ cmd = { "echo", "lsp" } })
    require("ide-companion").run("gemini", { "--model", "x" })
  ]])
  same(child:lua("return #vim.api.nvim_list_wins()"), 1)
  child:lua(status)
  child:until_true("return #vim.api.nvim_list_wins() == 2")
  child:until_true([[return vim.fn.search("run gemini -- --model x") > 0]])
  child:lua([[
    server_options.on_exit(0)
    require("ide-companion").stop()
    package.loaded["ide-companion.rpc"].start = function() return nil, "gone" end
    require("ide-companion").run("gemini")
  ]])
  same(child:lua([[return vim.api.nvim_get_autocmds({ event = "User", pattern = "IdeCompanionStatus" })]]), {})
end)

test("an agent has one terminal, which :IdeCompanion run shows, goes to and hides", function(child)
  with_agents(child)
  child:keys(":IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  same(windows_of_tab(child), { { "", 49 }, { "Gemini CLI", 50 } })
  same(child:mode(), "t")
  child:keys("<C-\\><C-n><C-w>h:IdeCompanion run gemini<CR>")
  same({ child:mode(), #windows_of_tab(child) }, { "t", 2 }) -- gone to
  child:keys("<C-\\><C-n>:IdeCompanion run gemini<CR>")
  same(windows_of_tab(child), { { "", 100 } }) -- hidden
  child:keys(":IdeCompanion run gemini<CR>")
  same(windows_of_tab(child), { { "", 49 }, { "Gemini CLI", 50 } })
  child:until_true([[return vim.fn.search("agent run gemini", "w") > 0]])
  child:keys("typed<CR>") -- its user is in it
  child:until_true([[return vim.fn.search("typed", "w") > 0]])
end)

test("the terminals of two agents keep their width, however many windows come", function(child)
  with_agents(child, { size = 30 })
  child:keys(":IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  child:keys("<C-\\><C-n><C-w>h:vsplit<CR><C-w>=")
  same(windows_of_tab(child), { { "", 34 }, { "", 34 }, { "Gemini CLI", 30 } })
  child:keys(":only<CR>:IdeCompanion run other<CR>")
  child:until_true([[return vim.fn.search("agent run other") > 0]])
  same(windows_of_tab(child), { { "", 69 }, { "Another Agent", 30 } })
end)

test("an agent that has ended starts again in its window", function(child)
  with_agents(child)
  child:keys(":IdeCompanion run gemini --resume<CR>")
  child:until_true([[return vim.fn.search("agent run gemini -- --resume") > 0]])
  child:keys("<C-d>")
  child:until_true([[return vim.fn.jobwait({ vim.bo.channel }, 0)[1] ~= -1]])
  child:settle()
  child:keys("<C-\\><C-n>:IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini --$") > 0]])
  same(windows_of_tab(child), { { "", 49 }, { "Gemini CLI", 50 } })
end)

-- Which window of the tab it is, and its width.
local positions = { left = { 1, 50 }, below = { 2, 100 }, above = { 1, 100 }, float = { 2, 80 }, tab = { 1, 100 } }
for position, window in pairs(positions) do
  test("the terminal of an agent can be placed: " .. position, function(child)
    with_agents(child, { position = position })
    child:keys(":IdeCompanion run gemini<CR>")
    child:until_true([[return vim.fn.search("agent run gemini") > 0]])
    same(windows_of_tab(child)[window[1]], { "Gemini CLI", window[2] })
    child:keys("<C-\\><C-n>:IdeCompanion run gemini<CR>")
    same(windows_of_tab(child), { { "", 100 } })
  end)
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
    return child:lua([[return require("ide-companion.terminal").reference(...)]], ...)
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
  child:lua("vim.cmd.edit(vim.fn.fnameescape(...))", harness.file("a b.txt", "1\n2\n3\n"))
  child:lua("vim.cmd.cd(vim.fn.expand('%:h'))")
  child:lua([[answers["companion/mention"] = {}]])
  child:keys(":IdeCompanion send<CR>")
  child:until_true([[return vim.fn.execute("messages"):find("No agent here takes a reference") ~= nil]])
  child:keys(":IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  child:keys("<C-\\><C-n><C-w>h:%IdeCompanion send<CR>:2IdeCompanion send<CR><C-w>l")
  child:until_true([[return vim.fn.search("@a\\\\ b.txt @a\\\\ b.txt#L2", "w") > 0]])
end)
