local harness = require("harness")
local test, same = harness.test, harness.same

---What the user typed in a proposal, and no file holds.
local function recovered(child, path)
  local row = {
    id = "1f3a9c02",
    agent = "Gemini CLI",
    filePath = path,
    label = "a.txt",
    at = 1767225600000,
    text = "The companion ended before you decided.",
    actions = {
      { code = "show", name = "compares" },
      { code = "restore", name = "restores" },
      { code = "discard", name = "discards" },
    },
  }
  child:lua(
    [[
    local row = ...
    lists.edits = { row }
    local mine = "one\n2 of mine\n"
    acts.show = { message = row.text, compare = { label = row.label, patch = " one\n-two\n+2 of mine\n" } }
    acts.restore = { put = { filePath = row.filePath, content = mine, what = "your text", onlySaved = false } }
    acts.discard = function(params)
      return params.sure and { message = "Discarded: a.txt.", removed = true }
        or { ask = { question = "Discard your text for a.txt for good?", yes = "Discard" } }
    end
    ]],
    row
  )
  return row
end

---What the user has done of a kind.
local function acted(child, action)
  return vim.tbl_filter(function(params)
    return params.action == action
  end, child:sent("companion/act"))
end

local function said(child, text)
  return child:until_true([[return vim.fn.execute("messages"):find(..., 1, true) ~= nil]], text)
end

test("what is typed in a proposal is sent shortly after, and once", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  child:settle()
  same(child:sent("companion/draft"), {})
  child:keys("Gofour")
  child:until_true([[return #vim.tbl_filter(function(m) return m.method == "companion/draft" end, sent) == 1]])
  same(child:sent("companion/draft"), { { id = "1", content = "one\n2\nthree\nfour\n" } })
  child:keys("<Esc><C-w>hgg]cdp") -- from the other side, which reverts a change
  child:until_true([[return #vim.tbl_filter(function(m) return m.method == "companion/draft" end, sent) == 2]])
end)

test("what was typed last is sent before Neovim ends", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  local path = harness.file("sent", "")
  child:lua(
    [[
    local path = ...
    vim.api.nvim_create_autocmd("VimLeave", { callback = function()
      local file = io.open(path, "w")
      for _, message in ipairs(sent) do
        if message.method == "companion/draft" then file:write(vim.json.encode(message.params)) end
      end
      file:close()
    end })
    ]],
    path
  )
  same(child:leaves("Gofour<Esc>:qa!<CR>"), 0)
  same(vim.json.decode(io.open(path):read("*a")), { id = "1", content = "one\n2\nthree\nfour\n" })
end)

test("Neovim ends after the server has the decision of :wqa", function(child)
  child:propose()
  child:lua([[require("ide-companion").diff()]])
  local path = harness.file("answered", "")
  child:lua(
    [[
    local path = ...
    local rpc = require("ide-companion.rpc")
    local request = rpc.request
    rpc.request = function(method, params, on_answer)
      request(method, params, function(result)
        vim.defer_fn(function()
          if method == "companion/diffAccepted" then io.open(path, "w"):write(params.content):close() end
          on_answer(result)
        end, 50)
      end)
    end
    ]],
    path
  )
  same(child:leaves("Gofour<Esc>:wqa<CR>"), 0)
  same(io.open(path):read("*a"), "one\n2\nthree\nfour\n")
end)

---A server that never answers a decision, and ends.
local function ends_without_answer(child, keys)
  child:propose()
  child:lua([[
    require("ide-companion").diff()
    local rpc = require("ide-companion.rpc")
    local request = rpc.request
    rpc.request = function(method, ...)
      if not method:find("companion/diff", 1, true) then request(method, ...) end
    end
  ]])
  child:keys("Gofour<Esc>" .. keys)
  child:lua([[server_options.on_exit(1)]])
  child:settle()
end

test("a server that ends with an unanswered acceptance leaves what was typed in a buffer", function(child)
  ends_without_answer(child, ":w<CR>")
  same(child:saved_texts(), { { "Your text: main.ts", "one|2|three|four" } })
end)

test("a server that ends with an unanswered rejection leaves what was typed in a buffer", function(child)
  ends_without_answer(child, ":q!<CR>")
  same(child:saved_texts(), { { "Your text: main.ts", "one|2|three|four" } })
end)

test("news are shown with the command that leads to their list, and what comes to be copied is copied", function(child)
  child:lua([[require("ide-companion").start()]])
  child:settle()
  local function tell(params)
    child:lua([[handlers["companion/news"](...)]], params)
  end
  tell({ severity = "warning", text = "Your text is not in a.txt: It ended.", list = "edits" })
  said(child, "Your text is not in a.txt: It ended.   :IdeCompanion edits")
  tell({ severity = "info", text = "Your comments are {place}: paste them into Toy", copy = "@main.ts:2\nwhy?" })
  said(child, ": paste them into Toy")
  same(child:lua([[return vim.fn.getreg('"')]]), "@main.ts:2\nwhy?")
end)

test("recovered edits are compared with the file, and restored as a change that is not saved", function(child)
  local path = harness.file("a.txt", "one\ntwo\n")
  recovered(child, path)
  child:lua([[require("ide-companion").start()]])
  child:keys(":IdeCompanion edits<CR>")
  child:settle()
  same(child:lua([[return { vim.fn.bufname(), vim.bo.filetype, vim.fn.tabpagenr() }]]), { "Diff: a.txt", "diff", 2 })
  same(child:texts_of_tab(), { " one|-two|+2 of mine" })
  assert(child:bar():find("^r restores  d discards  q closes"), child:bar())
  child:keys("r")
  local state = [[return { #vim.api.nvim_list_wins(), vim.api.nvim_buf_get_name(0), vim.bo.modified,
    table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "|") }]]
  same(child:lua(state), { 1, path, true, "one|2 of mine" })
  child:keys("u")
  same(child:lua(state), { 1, path, false, "one|two" })
  same(acted(child, "discard"), {})
end)

test("recovered edits are restored with the only byte order mark of their file", function(child)
  local path = harness.file("a.txt", "\239\187\191one\ntwo\n")
  recovered(child, path)
  child:lua([[
    acts.restore.put.content = "\239\187\191" .. acts.restore.put.content
    require("ide-companion").start()
  ]])
  child:keys(":IdeCompanion edits<CR>")
  child:settle()
  child:keys("r")
  child:until_true("return vim.bo.modified")
  child:keys(":w<CR>")
  child:settle()
  same(io.open(path, "rb"):read("*a"), "\239\187\191one\n2 of mine\n")
end)

test("recovered edits are restored where other unsaved changes are, also without 'hidden'", function(child)
  local path = harness.file("a.txt", "one\ntwo\n")
  recovered(child, path)
  child:lua([[vim.o.hidden = false; require("ide-companion").start()]])
  child:keys("imine<Esc>:IdeCompanion edits<CR>")
  child:settle()
  child:keys("r")
  child:settle()
  same(child:lua([[return { vim.api.nvim_buf_get_name(0), vim.api.nvim_buf_get_lines(0, 0, -1, true) }]]), {
    path,
    { "one", "2 of mine" },
  })
end)

test("recovered edits are discarded only when the user says so twice", function(child)
  recovered(child, harness.file("a.txt", "one\n"))
  child:lua([[require("ide-companion").start()]])
  child:keys(":IdeCompanion edits<CR>")
  child:settle()
  child:lua([[vim.fn.confirm = function(question) _G.question = question; return _G.choice end]])
  child:lua([[choice = 2]])
  child:keys("d")
  same(child:lua("return question"), "Discard your text for a.txt for good?")
  same(#acted(child, "discard"), 1)
  child:lua([[choice = 1]])
  child:keys("d")
  child:until_true([[return #vim.api.nvim_list_wins() == 1]])
  same(acted(child, "discard")[3], { list = "edits", id = "1f3a9c02", action = "discard", sure = true })
end)

test("of several recovered edits the user chooses", function(child)
  local edits = recovered(child, harness.file("a.txt", "one\n"))
  child:lua(
    [[
    table.insert(lists.edits, ...)
    vim.ui.select = function(items, options, on_choice)
      _G.offered = vim.tbl_map(options.format_item, items)
      on_choice(items[2])
    end
    ]],
    vim.tbl_extend("force", edits, { id = "2", label = "b.txt" })
  )
  child:lua([[require("ide-companion").start()]])
  child:keys(":IdeCompanion edits<CR>")
  child:settle()
  local offered = child:lua("return offered")
  assert(offered[2]:find("^b.txt  Gemini CLI, .*: The companion ended before you decided.$"), offered[2])
  same(child:sent("companion/act"), { { list = "edits", id = "2", action = "show" } })
end)

test("an empty list is said to be so", function(child)
  child:lua([[require("ide-companion").start()]])
  child:keys(":IdeCompanion edits<CR>")
  said(child, "There is nothing.")
end)

test("a proposal that Neovim could not show is opened on the page", function(child)
  child:lua([[require("ide-companion").start()]])
  child:lua([[
    answers["companion/openPage"] = { message = "The link to the page is {place}.", copy = "http://127.0.0.1:40123/x" }
    local message = "Gemini CLI proposes a change of /app/a.txt. Review it at http://127.0.0.1:40123/y"
    handlers["window/showMessage"]({ type = 1, message = message })
    handlers["companion/status"]({ port = 1, env = {}, sessions = {}, ahead = {}, line = "",
      diffs = { { id = "7", agent = "Gemini CLI", filePath = "/app/a.txt", openedAt = 1 } } })
  ]])
  said(child, "Gemini CLI proposes a change of")
  child:keys(":IdeCompanion diff<CR>")
  said(child, "The link to the page is ")
  same(child:lua([[return vim.fn.getreg('"')]]), "http://127.0.0.1:40123/x")
end)
