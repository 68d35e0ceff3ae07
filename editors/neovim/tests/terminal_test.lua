local harness = require("harness")
local test, same = harness.test, harness.same

local status = [[handlers["companion/status"]({ port = 4711, env = { IDE_TEST_PORT = "4711" },
  sessions = { { agent = "Gemini CLI", connectedAt = 1 } }, diffs = { {} }, line = "Gemini CLI (1)" })]]

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

test("an agent is started when the server is there, and not when there is none", function(child)
  child:lua([[
    require("ide-companion").setup({ cmd = { "echo", "lsp" } })
    answers["companion/review"] = function()
      ]] .. status .. [[
      return { message = "" }
    end
    require("ide-companion").run("gemini", { "--model", "x" })
  ]])
  child:until_true("return #vim.api.nvim_list_wins() == 2")
  child:until_true([[return vim.fn.search("run gemini -- --model x") > 0]])
  child:lua([[
    server_options.on_exit(0)
    require("ide-companion").stop()
    require("ide-companion.rpc").start = function() return nil, "gone" end
    require("ide-companion").run("other")
  ]])
  child:settle()
  same(child:lua("return #vim.api.nvim_list_wins()"), 2)
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

test("a float that comes and goes leaves no buffer behind", function(child)
  with_agents(child, { position = "float" })
  child:keys(":IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  local before = child:lua("return #vim.api.nvim_list_bufs()")
  child:keys("<C-\\><C-n>:IdeCompanion toggle<CR>:IdeCompanion toggle<CR>")
  same({ child:mode(), child:lua("return #vim.api.nvim_list_bufs()") }, { "t", before })
end)

test("an agent is toggled, gone to and left by name, or the one that was shown last", function(child)
  with_agents(child)
  child:keys(":IdeCompanion toggle gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  child:keys("<C-\\><C-n>:IdeCompanion focus<CR>")
  same({ child:mode(), #windows_of_tab(child), child:lua("return vim.fn.bufname()") }, { "n", 2, "" }) -- left
  child:keys(":IdeCompanion focus<CR>")
  same({ child:mode(), #windows_of_tab(child) }, { "t", 2 })
  child:keys("<C-\\><C-n><C-w>h:IdeCompanion toggle<CR>")
  same(windows_of_tab(child), { { "", 100 } }) -- hidden from outside
  child:keys(":IdeCompanion toggle<CR>")
  same(windows_of_tab(child), { { "", 49 }, { "Gemini CLI", 50 } })
end)

test("several agents share one column, also two of a kind", function(child)
  with_agents(child)
  for _, agent in ipairs({ "gemini", "gemini:2", "other" }) do
    child:keys(":IdeCompanion run " .. agent .. "<CR>")
    child:until_true([[return vim.fn.search("agent run " .. ...) > 0]], agent:match("^%a+"))
    child:keys("<C-\\><C-n><C-w>t")
  end
  same(windows_of_tab(child), { { "", 49 }, { "Gemini CLI", 50 }, { "Gemini CLI 2", 50 }, { "Another Agent", 50 } })
  child:keys(":IdeCompanion toggle gemini:2<CR>")
  same(windows_of_tab(child), { { "", 49 }, { "Gemini CLI", 50 }, { "Another Agent", 50 } })
end)

test("an agent goes on with its last session by arguments that the server names", function(child)
  with_agents(child)
  child:keys(":IdeCompanion continue gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini -- --last one") > 0]])
  child:keys("<C-\\><C-n><C-w>t:IdeCompanion continue other<CR>")
  same(child:row(0):find("Another Agent has no last session that it could go on with", 1, true) ~= nil, true)
end)

test("without a name the user chooses an agent, unless one runs", function(child)
  with_agents(child)
  child:lua([[vim.ui.select = function(items, options, on_choice)
    _G.offered = vim.tbl_map(options.format_item, items)
    on_choice(items[2])
  end]])
  child:keys(":IdeCompanion run<CR>")
  child:until_true([[return vim.fn.search("agent run other") > 0]])
  same(child:lua("return offered"), { "Gemini CLI", "Another Agent" })
  child:keys("<C-\\><C-n>:IdeCompanion run<CR>")
  same(windows_of_tab(child), { { "", 100 } })
end)

---Starts an agent that prints each byte as it comes. @return its process
local function run_raw(child)
  with_agents(child)
  local program = harness.file("raw", "#!/bin/sh\necho agent \"$@\"\nstty -icanon -echo\nexec cat -v\n")
  vim.fn.setfperm(program, "rwx------")
  child:lua([[require("ide-companion").setup({ cmd = { ..., "lsp" } })]], program)
  child:keys(":IdeCompanion run gemini<CR>")
  child:until_true([[return vim.fn.search("agent run gemini") > 0]])
  return child:lua("return vim.b.terminal_job_pid")
end

local function read(child, pids)
  return child:lua([[return handlers["companion/readTerminal"]({ pids = ... })]], pids)
end

test("the companion reads the screen of a terminal by one of some processes, and types into it", function(child)
  local pid = run_raw(child)
  child:keys("<C-\\><C-n><C-w>h")
  local found = read(child, { 1, pid })
  same({ found.pid, #vim.split(found.screen, "\n") }, { pid, 28 })
  same(vim.startswith(found.screen, "agent run gemini --\n\n"), true)
  same(next(read(child, { 1 })), nil)
  child:lua([[handlers["companion/typeInTerminal"]({ pid = ..., text = "Why?\nSo." })]], pid)
  child:until_true([[
    local screen = handlers["companion/readTerminal"]({ pids = { ... } }).screen
    return screen:find("^[[200~Why?\nSo.^[[201~", 1, true) ~= nil
  ]], pid)
  child:keys(":IdeCompanion toggle<CR>")
  same(#vim.split(read(child, { pid }).screen, "\n"), 28) -- also while nobody sees it
end)

test("a reference is not typed into a prompt that holds a text of the user, and is copied", function(child)
  run_raw(child)
  child:keys("<C-\\><C-n><C-w>h")
  local path = harness.file("a.txt", "1\n2\n")
  child:lua("vim.cmd.edit(...)", path)
  child:lua([[answers["companion/send"] = { message = "It is not empty: it is {place}", copy = "@a.txt " }]])
  child:keys(":IdeCompanion send<CR>")
  child:until_true([[return vim.fn.execute("messages"):find("It is not empty: it is in register ") ~= nil]])
  same(child:lua([[return vim.fn.getreg('"')]]), "@a.txt ")
  local lines = child:lua([[return vim.api.nvim_buf_get_lines(vim.fn.bufnr("Gemini CLI"), 0, -1, true)]])
  same(table.concat(lines):find("a.txt", 1, true), nil)
end)

test("agents run in tmux if the user wants it", function(child)
  with_agents(child, { tmux = true })
  child:keys(":IdeCompanion run gemini:2 fix<CR>")
  child:until_true([[return vim.fn.search("agent run --tmux gemini:2 gemini -- fix") > 0]])
end)
