local harness = require("harness")
local test, same = harness.test, harness.same

local status = [[handlers["companion/status"]({ port = 4711, env = { IDE_TEST_PORT = "4711" },
  sessions = { { agent = "Gemini CLI", connectedAt = 1 } }, diffs = { {} }, line = "Gemini CLI (1)" })]]

test("nothing but a command is loaded at the start", function(child)
  local loaded = child:lua([[
    return vim.tbl_filter(function(name) return name:find("^ide%-companion") end, vim.tbl_keys(package.loaded))
  ]])
  same(loaded, {})
end)

test("the first file starts it", function(child)
  child:lua("vim.cmd.edit(...)", harness.file("a.txt", ""))
  child:until_true([[return #sent > 1]])
  local able = { version = 1, openFile = true, diagnostics = true, terminals = true, comments = true }
  able.repositories = true
  same(child:sent("initialize")[1].capabilities.experimental, { ideCompanion = able })
end)

test("the server receives the name and version of Neovim", function(child)
  child:lua([[require("ide-companion").start()]])
  local version = vim.version()
  local expected = ("%d.%d.%d"):format(version.major, version.minor, version.patch)
  same(child:sent("initialize")[1].clientInfo, { name = "Neovim", version = expected })
end)

test("the user's rules for agents reach the server", function(child)
  child:lua([[
    local ide = require("ide-companion")
    ide.setup({ exclude = { "drafts/" }, exclude_git_ignored = true, agent_accept = false })
    ide.start()
  ]])
  same(
    child:sent("initialize")[1].initializationOptions,
    { exclude = { "drafts/" }, excludeGitIgnored = true, agentAccept = false }
  )
end)

test("without rules the server receives none", function(child)
  child:lua([[require("ide-companion").start()]])
  local given = child:sent("initialize")[1].initializationOptions
  same(given, { exclude = {}, excludeGitIgnored = false, agentAccept = true })
  same(vim.json.encode(given.exclude), "[]")
end)

test("unless the user does not want that", function(child)
  child:lua([[require("ide-companion").setup({ auto_start = false })]])
  child:lua("vim.cmd.edit(...)", harness.file("a.txt", ""))
  child:settle()
  same(child:lua("return sent"), {})
end)

test("unknown options are named", function(child)
  local failure = child:lua([[return select(2, pcall(require("ide-companion").setup, { diff = { layot = "x" } }))]])
  same(failure, "ide-companion: there is no option diff.layot. See :help ide-companion-options")
end)

test("wrong options are named, with what they must be", function(child)
  local ok, failure = unpack(child:lua([[
    return { pcall(require("ide-companion").setup, { diff = { layout = "side" } }) }
  ]]))
  same(ok, false)
  same(
    child:lua([[return select(2, pcall(require("ide-companion").setup, { exclude = { 1 } }))]]),
    'ide-companion: exclude must be a list of patterns, such as { "drafts/" }, got { 1 }'
  )
  assert(failure:find('diff.layout must be "vertical", "horizontal" or "unified", got "side"', 1, true), failure)
end)

test("terminals get the variables, as long as the server runs", function(child)
  child:lua([[require("ide-companion").start() ]] .. status)
  same(child:lua([[return vim.env.IDE_TEST_PORT]]), "4711")
  same(child:lua([[return require("ide-companion").statusline()]]), "Gemini CLI (1)")
  child:lua([[server_options.on_exit(0)]])
  same(child:lua([[return vim.env.IDE_TEST_PORT]]), vim.NIL)
  same(child:lua([[return require("ide-companion").statusline()]]), "")
end)

test("an agent's name is run by no status line", function(child)
  child:lua([[require("ide-companion").start() ]] .. status:gsub("Gemini CLI", "100%% %%{system('bait')}"))
  same(child:lua([[return require("ide-companion").statusline()]]), "100 {system('bait')} (1)")
end)

test("a server that dies is started again, ever more slowly", function(child)
  child:lua([[
    _G.delays = {}
    vim.defer_fn = function(action, delay) table.insert(delays, delay) if #delays < 8 then action() end end
    require("ide-companion").start()
  ]])
  for _ = 1, 8 do
    child:lua("server_options.on_exit(1)")
  end
  same(child:lua("return delays"), { 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000 })
end)

test("a server that was stopped stays stopped", function(child)
  child:lua([[
    require("ide-companion").start()
    require("ide-companion").stop()
    vim.defer_fn = function() error("started again") end
    server_options.on_exit(0)
  ]])
  child:settle()
  same({ #child:sent("shutdown"), #child:sent("exit"), #child:sent("initialize") }, { 1, 1, 1 })
end)

test("one that does not end is ended", function(child)
  child:lua([[
    vim.defer_fn = function(action) vim.schedule(action) end
    require("ide-companion").start()
    require("ide-companion").stop()
  ]])
  child:until_true("return killed")
end)

test("a restart begins when the old one has ended, and so does a start that follows a stop", function(child)
  for _, words in ipairs({ { "restart" }, { "stop", "start" } }) do
    child:lua([[package.loaded["ide-companion.server"] = nil; sent = {}; require("ide-companion").start()]])
    for _, word in ipairs(words) do
      child:lua([[vim.cmd.IdeCompanion(...)]], word)
    end
    same(#child:sent("initialize"), 1)
    child:lua("server_options.on_exit(0)")
    same(#child:sent("initialize"), 2)
    same(child:lua([[return require("ide-companion.server").running()]]), true)
  end
end)

test("a server that ends before it answers is given up, and a message shows its last line", function(child)
  child:lua([[
    vim.defer_fn = function(action) action() end
    greeting = nil
    require("ide-companion.rpc").start = function(options)
      _G.starts, _G.server_options = (_G.starts or 0) + 1, options
      return { request = function() end, notify = function() end }
    end
    _G.messages = {}
    vim.notify = function(text) table.insert(messages, text) end
    require("ide-companion").start()
  ]])
  child:lua([[
    server_options.on_stderr("Node 20 is needed")
    server_options.on_stderr("")
    server_options.on_exit(1)
  ]])
  same(child:lua("return { starts, messages }"), {
    1,
    { "See :checkhealth ide-companion. The server ends at once: Node 20 is needed" },
  })
end)

test("a server of another version is not used", function(child)
  child:lua([[
    greeting = { capabilities = {} }
    _G.messages = {}
    vim.notify = function(text) table.insert(messages, text) end
    require("ide-companion").start()
  ]])
  child:settle()
  same(child:lua("return messages"), { "ide-companion cannot be used: it is of another version than this plugin" })
  same({ #child:sent("initialized"), #child:sent("shutdown") }, { 0, 1 })
end)

test("a message names a missing command once, with the remedy, and not with every file", function(child)
  child:lua(
    [[
    package.loaded["ide-companion.rpc"], package.preload["ide-companion.rpc"] = nil, nil
    _G.messages = {}
    vim.notify = function(text) table.insert(messages, text) end
    require("ide-companion").setup({ cmd = { "no-such-program", "lsp" } })
    for _, path in ipairs(...) do vim.cmd.edit(path) end
    ]],
    { harness.file("a.txt", ""), harness.file("b.txt", "") }
  )
  child:until_true("return messages[1]")
  child:settle()
  same(child:lua("return messages"), {
    "There is no no-such-program in your PATH. See :checkhealth ide-companion",
  })
end)

test("the variables that the user had are back when the server has ended", function(child)
  child:lua([[vim.env.IDE_TEST_PORT = "1"; require("ide-companion").start() ]] .. status)
  same(child:lua([[return vim.env.IDE_TEST_PORT]]), "4711")
  child:lua([[server_options.on_exit(0)]])
  same(child:lua([[return vim.env.IDE_TEST_PORT]]), "1")
end)

test(":IdeCompanion pause and resume are requests, whose answers are shown", function(child)
  child:lua([[require("ide-companion").start()
    answers["companion/pause"] = { message = "Sharing is another." }]])
  child:keys(":IdeCompanion pause<CR>")
  same(child:row(0), "Sharing is another.")
  child:keys(":IdeCompanion resume<CR>")
  same(child:sent("companion/pause"), { { paused = true }, { paused = false } })
end)

test(":IdeCompanion review says and sets when the user reviews, and completes", function(child)
  child:lua([[require("ide-companion").start()
    answers["companion/review"] = { message = "before: each agent asks." }]])
  child:keys(":IdeCompanion review before<CR>")
  same(child:row(0), "before: each agent asks.")
  child:keys(":IdeCompanion review<CR>")
  child:lua([[require("ide-companion").review("off")]])
  same(child:sent("companion/review"), { { mode = "before" }, vim.empty_dict(), { mode = "off" } })
  same(child:lua([[return vim.fn.getcompletion("IdeCompanion review ", "cmdline")]]), { "before", "after", "off" })
end)

test("a pause is seen in the status line", function(child)
  child:lua([[require("ide-companion").start()
    local sessions = { { agent = "Gemini CLI" } }
    handlers["companion/status"]({ port = 1, env = {}, sessions = sessions, diffs = {}, paused = true,
      line = "Gemini CLI paused", sentence = "Paused: agents are sent nothing." })]])
  same(child:lua([[return require("ide-companion").statusline()]]), "Gemini CLI paused")
  child:keys(":IdeCompanion<CR>")
  same(child:row(0), "Paused: agents are sent nothing.")
  same(child:lua([[return require("ide-companion").status().paused]]), true)
end)

---Proposes something, has the user type, and lets the server die.
local function die_under(child, keys)
  child:propose({ id = "1" })
  child:propose({ id = "2" })
  child:lua([[require("ide-companion").diff()]])
  child:keys(keys)
  child:lua([[vim.defer_fn = function() end; server_options.on_exit(1)]])
end

test("the open diffs close when the server dies, and a buffer has what was typed", function(child)
  die_under(child, "Gox<Esc>")
  child:until_true([[return #vim.api.nvim_list_tabpages() == 1]])
  same(child:saved_texts(), { { "Your text: main.ts", "one|2|three|x" } })
  same(child:sent("companion/diffRejected"), {})
end)

test("who types into a diff whose server dies ends their words there", function(child)
  die_under(child, "Gox")
  child:settle()
  same(child:layout().tabs, 2)
  same(child:bar(), ":q closes  The companion has ended")
  -- The next server counts from 1 again.
  child:propose({ id = "1", newContent = "other\n" })
  same(child:lua([[return handlers["companion/readDiff"]({ id = "1" })]]), { content = "other\n" })
  child:keys(" more<Esc>")
  child:until_true([[return #vim.fn.getbufinfo("Your text: main.ts") == 1]])
  same(child:saved_texts(), { { "Your text: main.ts", "one|2|three|x more" } })
end)

test("an unknown word is answered with those there are", function(child)
  child:keys(":IdeCompanion aceppt<CR>")
  assert(child:row(0):find("^There is no aceppt, only accept, .*%.%.%..*, written_hunks$"), child:row(0))
  local messages = child:lua([[return vim.fn.execute("messages")]])
  assert(messages:find("accept_all, accept_rest, ask_more, comment, comments,", 1, true), messages)
end)

test("words and agents are completed", function(child)
  child:lua([[require("ide-companion").start()]])
  child:settle()
  local function complete(line)
    return child:lua([[return vim.fn.getcompletion(..., "cmdline")]], line)
  end
  same(complete("IdeCompanion re"), { "reject", "reject_all", "restart", "resume", "revert", "review" })
  same(complete("IdeCompanion run "), { "gemini", "other" })
  same(complete("IdeCompanion run gemini "), {})
end)

test("loaded late, as by a plugin manager, it starts with the file that is there", function(child)
  child:lua("vim.cmd.edit(...)", harness.file("a.txt", ""))
  child:lua([[
    vim.g.loaded_ide_companion = nil
    vim.api.nvim_clear_autocmds({ event = { "BufReadPost", "UIEnter" } })
    require("ide-companion").stop()
    sent = {}
    vim.cmd.runtime("plugin/ide-companion.lua")
  ]])
  child:until_true("return #sent > 0")
end)

test(":checkhealth names what is missing", function(child)
  child:lua([[require("ide-companion").setup({ cmd = { "no-such-program", "lsp" } })]])
  child:lua([[vim.cmd("checkhealth ide-companion")]])
  local text = table.concat(child:lua([[return vim.api.nvim_buf_get_lines(0, 0, -1, true)]]), "\n")
  assert(text:find("no%-such%-program is not in your PATH"), text)
  assert(text:find("the companion is not running"), text)
end)

test(":checkhealth shows what the program says of itself and of the agents", function(child)
  child:lua([[require("ide-companion").setup({ cmd = { "sh", "-c", "echo its $0", "lsp" } })]])
  child:lua([[vim.cmd("checkhealth ide-companion")]])
  local text = table.concat(child:lua([[return vim.api.nvim_buf_get_lines(0, 0, -1, true)]]), "\n")
  assert(text:find("sh is version its --version", 1, true) and text:find("its doctor", 1, true), text)
end)

test("an editor in which git wants a message starts no companion, and says why when it is asked to", function(child)
  child:lua([[vim.cmd("let $GIT_EXEC_PATH = '/usr/lib/git-core' | let $GIT_PREFIX = ''")]])
  child:lua([[require("ide-companion").auto_start()]])
  same(child:row(0), "")
  for _, command in ipairs({ "start", "run gemini" }) do
    child:keys((":messages clear<CR>:IdeCompanion %s<CR>"):format(command))
    same(child:row(0), "Git has started this Neovim for a message: it serves no agent.")
  end
  same(child:lua("return server_options == nil"), true)
end)
