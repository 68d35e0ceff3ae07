local harness = require("harness")
local test, same = harness.test, harness.same

local function lines(changed)
  local all = {}
  for number = 1, 40 do
    all[number] = changed[number] or ("line " .. number)
  end
  return table.concat(all, "\n") .. "\n"
end

local written = lines({ [3] = "third", [10] = "10a\n10b", [30] = "30th" })
local third = { id = "a", agent = "Gemini CLI", line = 3, added = 1, removed = { "line 3" } }
local tenth = { id = "b", agent = "Gemini CLI", line = 10, added = 2, removed = { "line 10" } }
local gone = { id = "c", agent = "Gemini CLI", line = 20, added = 0, removed = { "old 1", "old 2" } }

---The part of the server: it tells of hunks, places them in a buffer, and forgets those that are kept.
local function serve(child)
  child:lua(
    [[
    local files, placed = {}, {}
    _G.files = files
    function _G.tell(path, revision, hunks)
      files[path] = { filePath = path, revision = revision, hunks = hunks }
      handlers["companion/writtenHunks"](files[path])
    end
    local function place(params)
      local file = files[params.filePath]
      local changes = vim.diff(io.open(params.filePath):read("*a"), params.content, { result_type = "indices" })
      local hunks = {}
      for _, hunk in ipairs(file.hunks) do
        local line = hunk.line
        for _, change in ipairs(changes) do
          local at, removed, _, added = unpack(change)
          if removed > 0 and at < hunk.line + hunk.added and at + removed > hunk.line then
            line = nil
            break
          elseif at < hunk.line then
            line = line + added - removed
          end
        end
        hunks[#hunks + 1] = line and vim.tbl_extend("force", hunk, { line = line }) or nil
      end
      placed[params.filePath] = hunks
      return { filePath = params.filePath, revision = file.revision, hunks = hunks }
    end
    local function lines_of(hunk)
      return { first = hunk.line, last = hunk.line + math.max(hunk.added, 1) - 1 }
    end
    function _G.go_to(file, hunk)
      return hunk and vim.tbl_extend("error", file, { lines = lines_of(hunk) }) or { filePath = vim.NIL, hunks = {} }
    end
    answers["companion/placeHunks"] = place
    answers["companion/decideHunks"] = function(params)
      local rest, line = {}, params.lines.last
      for _, hunk in ipairs(place(params).hunks) do
        local at = lines_of(hunk)
        if at.first <= params.lines.last and at.last >= params.lines.first then
          line = math.min(line, params.lines.first - 1, at.first - 1)
        else
          rest[#rest + 1] = hunk
        end
      end
      tell(params.filePath, params.revision, rest)
      return { line = line }
    end
    answers["companion/nextWritten"] = function(params)
      local file, target = params.content and place(params) or { hunks = {} }, nil
      for _, hunk in ipairs(file.hunks) do
        if params.by > 0 and hunk.line > params.line and not target or params.by < 0 and hunk.line < params.line then
          target = hunk
        end
      end
      return not target and _G.elsewhere and elsewhere(params) or go_to(file, target)
    end
    function _G.in_buffer(row)
      return vim.tbl_extend("force", row, { hunks = row.hunks and vim.tbl_filter(function(hunk)
        for _, one in ipairs(placed[row.filePath] or {}) do
          if one.id == hunk.id then hunk.line = one.line return true end
        end
        return not placed[row.filePath]
      end, vim.deepcopy(row.hunks)) })
    end
    ]]
  )
end

---Opens a file that an agent has written. @return its path
local function open(child, hunks, name)
  local path = harness.file(name or "poem.txt", written)
  child:lua("require('ide-companion').start() vim.cmd.edit(...)", path)
  serve(child)
  child:lua("tell(...)", path, "r1", hunks or { third, tenth, gone })
  child:settle()
  return path
end

local function rows(child, first, last)
  local found = {}
  for row = first, last do
    found[#found + 1] = child:row(row)
  end
  return found
end

local function line(child)
  return child:lua("return vim.fn.line('.')")
end

local function write(path, content)
  local file = assert(io.open(path, "wb"))
  file:write(content)
  file:close()
end

---What the server lists: three hunks of the poem, but for some, one of another file, and a file that is gone.
local function list(child, path, other, ...)
  local hunks = {}
  for _, hunk in ipairs({ third, tenth, gone }) do
    if not vim.tbl_contains({ ... }, hunk.id) then
      local text = ("+%d −%d Gemini CLI: Count"):format(hunk.added, #hunk.removed)
      hunks[#hunks + 1] = { id = hunk.id, line = hunk.line, text = text }
    end
  end
  local row = { agent = "Gemini CLI", text = "modified: Count" }
  child:lua("lists.written = ...", {
    vim.tbl_extend("error", row, { id = "1", filePath = path, label = "poem.txt", hunks = hunks }),
    vim.tbl_extend("error", row, {
      id = "2",
      filePath = other,
      label = "other.txt",
      hunks = { { id = "d", line = 5, text = "+1 −1 Gemini CLI: Count" } },
    }),
    vim.tbl_extend("force", row, { id = "3", filePath = path .. "2", label = "2.txt", text = "deleted, +0 −4: Count" }),
  })
end

local function quickfix(child)
  return child:lua([[return vim.tbl_map(function(item)
    return ("%s|%d| %s"):format(item.module, item.lnum, item.text)
  end, vim.fn.getqflist())]])
end

local ofPoem = {
  "poem.txt|3| +1 −1 Gemini CLI: Count",
  "poem.txt|10| +2 −1 Gemini CLI: Count",
  "poem.txt|20| +0 −2 Gemini CLI: Count",
}
local ofOthers = { "other.txt|5| +1 −1 Gemini CLI: Count", "2.txt|0| Gemini CLI: deleted, +0 −4: Count" }

test("the quickfix list has each hunk of all files, and a hunk that is kept leaves it", function(child)
  local path, other = open(child), harness.file("other.txt", written)
  list(child, path, other)
  child:keys(":IdeCompanion written_hunks<CR>")
  same(child:lua("return { vim.bo.buftype, vim.w.quickfix_title }"), { "quickfix", "The list" })
  same(quickfix(child), vim.list_extend(vim.list_slice(ofPoem), ofOthers))
  child:keys("j<CR>")
  same({ child:lua("return vim.api.nvim_buf_get_name(0)"), line(child) }, { path, 10 })
  list(child, path, other, "b")
  child:keys(":IdeCompanion keep<CR>")
  same(quickfix(child), vim.list_extend({ ofPoem[1], ofPoem[3] }, ofOthers))
  same(line(child), 20)
  child:keys(":cnext<CR>")
  same({ child:lua("return vim.api.nvim_buf_get_name(0)"), line(child) }, { other, 5 })
  -- Another list of the user stays.
  child:lua([[vim.fn.setqflist({ { filename = ..., lnum = 2, text = "found" } })]], path)
  list(child, path, other, "a", "b", "c")
  child:lua("tell(...)", path, "r2", {})
  child:settle()
  same(child:lua("return #vim.fn.getqflist()"), 1)
end)

test("a hunk that is reverted and not saved is not in the quickfix list, and undo brings it back", function(child)
  local path, other = open(child), harness.file("other.txt", written)
  list(child, path, other)
  child:keys("ggOmine<Esc>")
  child:keys(":IdeCompanion written_hunks<CR>")
  child:keys(":wincmd p<CR>")
  local placed = { "poem.txt|11| +2 −1 Gemini CLI: Count", "poem.txt|21| +0 −2 Gemini CLI: Count" }
  local all = { "poem.txt|4| +1 −1 Gemini CLI: Count", placed[1], placed[2], unpack(ofOthers) }
  same(quickfix(child), all)
  child:lua(
    [[local edit = { line = 4, added = 1, from = 4, removed = 1 }
    answers["companion/decideHunks"] = { content = ..., edits = { edit }, line = 3 }]],
    "mine\n" .. written:gsub("third", "line 3")
  )
  child:keys(":4IdeCompanion revert<CR>")
  child:until_true("return #vim.fn.getqflist() == 4")
  same(quickfix(child), vim.list_extend(placed, ofOthers))
  child:keys("u")
  child:until_true("return #vim.fn.getqflist() == 5")
  same(quickfix(child), all)
end)

test("a hunk of another file is found with the user's picker, and :cnext goes on from there", function(child)
  local path, other = open(child), harness.file("other.txt", written)
  list(child, path, other)
  child:lua([[vim.ui.select = function(items, options, on_choice)
    _G.seen = options.format_item(items[3])
    on_choice(items[3], 3)
  end]])
  child:keys(":IdeCompanion pick_written<CR>")
  same({ child:lua("return seen"), line(child) }, { "poem.txt:20  +0 −2 Gemini CLI: Count", 20 })
  child:keys(":cnext<CR>")
  same(child:lua("return vim.api.nvim_buf_get_name(0)"), other)
end)

test("where agents wrote nothing, the command for their hunks says so, and no window opens", function(child)
  child:lua("require('ide-companion').start()")
  child:keys(":IdeCompanion written_hunks<CR>")
  same({ child:row(0), child:layout().wins }, { "There is nothing.", 1 })
end)

test("what an agent wrote has signs, and the lines from before stand above it", function(child)
  open(child)
  same(rows(child, 1, 6), { "  line 1", "  line 2", "  line 3", "~ third", "  line 4", "  line 5" })
  same(rows(child, 11, 14), { "  line 10", "~ 10a", "~ 10b", "  line 11" })
  same(rows(child, 21, 24), { "  line 18", "  old 1", "  old 2", "- line 19" })
  same(child:lua("return vim.bo.modified"), false)
end)

test("a sign stands above those of plugins for git, which are there again once it is kept", function(child)
  open(child)
  child:lua([[
    local space, sign = vim.api.nvim_create_namespace("git"), { sign_text = "G", priority = 199 }
    vim.api.nvim_buf_set_extmark(0, space, 2, 0, sign)
  ]])
  same(rows(child, 4, 4), { "~ third" })
  child:keys("3G:IdeCompanion keep<CR>")
  same(rows(child, 3, 3), { "G third" })
end)

test("marks are there again after the file was read once more, and after it was closed for a while", function(child)
  local path = open(child)
  child:keys("ggOmine<Esc>:e!<CR>")
  same(rows(child, 2, 4), { "  line 2", "  line 3", "~ third" })
  child:keys(":bunload<CR>:edit " .. path .. "<CR>")
  same(rows(child, 2, 4), { "  line 2", "  line 3", "~ third" })
end)

test("lines from before the first one are seen, many are cut, and a new file is marked as a whole", function(child)
  local before = vim.split(("x\n"):rep(20), "\n", { trimempty = true })
  open(child, { { id = "a", agent = "Gemini CLI", line = 1, added = 1, removed = before } })
  same(rows(child, 12, 14), { "  x", "  … and 8 more lines", "~ line 1" })
  open(child, { { id = "a", agent = "Gemini CLI", line = 1, added = 41, removed = {} } }, "new.txt")
  same(rows(child, 1, 2), { "+ line 1", "+ line 2" })
end)

test("keeping a hunk goes on to the next one, and from the last one to the next file", function(child)
  local path = open(child)
  local other = harness.file("other.txt", written)
  child:lua(
    [[
    local path, other, hunks = ...
    files[other] = { filePath = other, revision = "r2", hunks = hunks }
    function _G.elsewhere(params)
      local file = files[params.filePath == path and other or path]
      return go_to(file, file.hunks[params.by > 0 and 1 or #file.hunks])
    end
    ]],
    path,
    other,
    {
      { id = "d", agent = "Gemini CLI", line = 3, added = 1, removed = {} },
      { id = "e", agent = "Gemini CLI", line = 9, added = 1, removed = {} },
    }
  )
  child:keys(":IdeCompanion next_written<CR>")
  same(line(child), 3)
  child:keys(":IdeCompanion keep<CR>")
  same(line(child), 10)
  same(child:row(3), "  third")
  child:keys(":IdeCompanion previous_written<CR>")
  child:until_true("return vim.api.nvim_buf_get_name(0) == ...", other)
  same(line(child), 9)
  child:keys(":IdeCompanion previous_written<CR>")
  child:until_true("return vim.fn.line('.') == 3")
  child:keys(":IdeCompanion previous_written<CR>")
  child:until_true("return vim.api.nvim_buf_get_name(0) == ...", path)
  same(line(child), 20)
  child:keys(":10,$IdeCompanion keep<CR>")
  child:until_true("return vim.api.nvim_buf_get_name(0) == ...", other)
  same(line(child), 3)
  same(
    vim.tbl_map(function(sent)
      return { sent.filePath, sent.revision, sent.action, sent.lines, sent.content }
    end, child:sent("companion/decideHunks")),
    {
      { path, "r1", "keep", { first = 3, last = 3 }, written },
      { path, "r1", "keep", { first = 10, last = 41 }, written },
    }
  )
  child:keys(":%IdeCompanion keep<CR>")
  child:until_true([[return vim.fn.execute("messages"):find("Nothing else that an agent wrote") ~= nil]])
end)

test("a hunk is reverted in a buffer with unsaved edits, and the editor's own undo brings it back", function(child)
  local path = open(child)
  child:keys("ggOmine<Esc>")
  same(child:row(5), "~ third")
  local content = "mine\n" .. written:gsub("third", "line 3")
  child:lua(
    [[local edit = { line = 4, added = 1, from = 4, removed = 1 }
    answers["companion/decideHunks"] = { content = ..., edits = { edit }, line = 3 }]],
    content
  )
  child:keys(":4IdeCompanion revert<CR>")
  same(child:sent("companion/decideHunks"), {
    {
      filePath = path,
      revision = "r1",
      action = "revert",
      lines = { first = 4, last = 4 },
      content = "mine\n" .. written,
    },
  })
  same(rows(child, 3, 5), { "  line 2", "  line 3", "  line 4" })
  same({ line(child), child:lua("return vim.fn.getline(1)") }, { 11, "mine" })
  -- The server still knows it: it is not saved.
  child:lua("tell(...)", path, "r2", { third, tenth })
  same(rows(child, 3, 5), { "  line 2", "  line 3", "  line 4" })
  same(rows(child, 21, 23), { "  line 18", "  line 19", "  line 20" })
  child:keys("u")
  same(rows(child, 4, 6), { "  line 3", "~ third", "  line 4" })
  child:keys("u")
  same(child:lua("return { vim.fn.getline(1), vim.bo.modified }"), { "line 1", false })
  same(vim.fn.readfile(path), vim.split(written, "\n", { trimempty = true }))
end)

test("why a revert is refused is a message, and nothing changes", function(child)
  open(child)
  child:lua([[
    require("ide-companion.rpc").request = function(_, _, on_answer)
      on_answer(nil, { message = "The file has changed: look again." })
    end
  ]])
  child:keys(":3IdeCompanion revert<CR>")
  same(child:row(0), "The file has changed: look again.")
  same(child:row(4), "~ third")
end)

test("a buffer without unsaved edits follows its file; cursor, folds, marks and undo stay", function(child)
  local path = harness.file("poem.txt", lines({}))
  child:lua("require('ide-companion').start() vim.cmd.edit(...)", path)
  child:keys("5Gccmine<Esc>:w<CR>:20,25fold<CR>30Gzt3lma")
  local changed = lines({ [5] = "mine", [2] = "2a\n2b\n2c" })
  write(path, changed)
  serve(child)
  child:lua(
    [[
    local path, content = ...
    answers["companion/merge"] = { content = content, isClean = true,
      edits = { { line = 2, added = 3, from = 2, removed = 1 } } }
    handlers["companion/fileWritten"]({ id = "", filePath = path, label = "poem.txt", agent = "Gemini CLI",
      isNew = false, isWritten = true, before = "" })
    tell(path, "r", { { id = "x", agent = "Gemini CLI", line = 2, added = 3, removed = { "line 2" } } })
    ]],
    path,
    changed
  )
  child:until_true("return vim.fn.getline(2) == '2a' and not vim.bo.modified")
  child:settle()
  same(
    child:lua([[return { vim.fn.line("."), vim.fn.col("."), vim.fn.line("w0"), vim.fn.line("'a"), vim.fn.foldclosed(22),
      vim.fn.foldclosedend(22) }]]),
    { 32, 7, 32, 32, 22, 27 }
  )
  child:keys("gg")
  same(rows(child, 2, 5), { "  line 2", "~ 2a", "~ 2b", "~ 2c" })
  -- The file is as it was read: nothing changes.
  local tick = child:lua("return vim.b.changedtick")
  child:lua(
    [[
    answers["companion/merge"].edits = {}
    handlers["companion/fileWritten"]({ id = "", filePath = ..., label = "poem.txt", agent = "Gemini CLI",
      isNew = false, isWritten = true, before = "" })
    ]],
    path
  )
  child:settle()
  same(child:lua("return vim.b.changedtick"), tick)
  child:keys(":w<CR>uu")
  same(child:lua("return vim.fn.getline(2)"), "line 2")
  child:keys("u")
  same(child:lua("return vim.fn.getline(5)"), "line 5")
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
end)

test("unsaved edits stay when their file is written, which is said once, and :w overwrites nothing", function(child)
  local path = harness.file("poem.txt", lines({}))
  child:lua("require('ide-companion').start() vim.cmd.edit(...)", path)
  child:keys("ggOmine<Esc>")
  local news = {
    id = "",
    filePath = path,
    label = "poem.txt",
    agent = "Gemini CLI",
    isNew = false,
    isWritten = true,
    before = lines({}),
  }
  child:lua([[handlers["companion/fileWritten"](...)]], news)
  child:settle()
  same(child:lua([[return vim.fn.execute("messages"):find("has written") ]]), vim.NIL)
  write(path, written)
  child:lua([[handlers["companion/fileWritten"](...)]], news)
  child:settle()
  assert(child:row(0):find("Gemini CLI has written poem.txt, .*:IdeCompanion merge"), child:row(0))
  child:keys(":w<CR>")
  same(vim.fn.readfile(path)[3], "third")
  child:lua([[answers["companion/merge"] = { content = ..., isClean = true, edits = {} }]], "mine\n" .. written)
  child:keys(":IdeCompanion merge<CR>")
  same(child:sent("companion/merge"), { { filePath = path, before = lines({}), content = "mine\n" .. lines({}) } })
  child:keys(":w<CR>")
  same(vim.list_slice(vim.fn.readfile(path), 1, 4), { "mine", "line 1", "line 2", "third" })
end)
