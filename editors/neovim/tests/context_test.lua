local harness = require("harness")
local test, same = harness.test, harness.same

local last = [[
  local messages = vim.tbl_filter(function(m) return m.method == "companion/context" end, sent)
  local params = messages[#messages] and messages[#messages].params
  if not params then return nil end
]]

---Waits for a context of which Lua says that it fits.
local function context(child, condition)
  return child:until_true(last .. "return (" .. condition .. ") and params or nil")
end

local function open(child, ...)
  for _, path in ipairs({ ... }) do
    child:lua("vim.cmd.edit(vim.fn.fnameescape(...))", path)
  end
  child:lua([[require("ide-companion").start()]])
end

test("the file, its cursor and the other files are sent", function(child)
  local one, two = harness.file("one.txt", "1\n"), harness.file("#%[ 😀.txt", "one\ntwo\n")
  open(child, one, two)
  child:keys("jl")
  local sent = context(child, "#params.files == 2 and (params.files[1].cursor or {}).character == 2")
  same(sent.activePath, two)
  local by_path = {}
  for _, file in ipairs(sent.files) do
    by_path[file.path] = file
  end
  same(by_path[two].cursor, { line = 2, character = 2 })
  assert(by_path[two].focusedAt >= by_path[one].focusedAt, vim.inspect(sent))
  assert(math.abs(by_path[two].focusedAt / 1000 - os.time()) < 60)
end)

test("a file that its user saves is reported, and not one that is no file of the user's", function(child)
  local one = harness.file("one.txt", "1\n")
  open(child, one)
  child:keys("ix<Esc>")
  child:lua("vim.cmd.write() vim.bo.buflisted = false vim.cmd.write()")
  child:settle()
  local saved = child:lua([[return vim.tbl_filter(function(m) return m.method == "companion/saved" end, sent)]])
  same(#saved, 1)
  same(saved[1].params, { path = one })
end)

test("a closed file is gone, and so are help, scratch and unnamed buffers", function(child)
  local one, two = harness.file("one.txt", "1\n"), harness.file("two.txt", "2\n")
  open(child, one, two)
  context(child, "#params.files == 2")
  child:lua("vim.cmd.help() vim.cmd.only() vim.cmd.new() vim.cmd.bdelete(vim.fn.bufnr(...))", two)
  local sent = context(child, "#params.files == 1")
  same(sent.files[1].path, one)
end)

test("a selection is sent, and stays while the user is in a terminal", function(child)
  open(child, harness.file("one.txt", "one\ntwo\n"))
  child:keys("v$")
  context(child, [[params.files[1].selectedText == "one\n"]])
  child:lua([[vim.cmd("stopinsert | split | terminal sleep 100")]])
  child:settle()
  child:lua([[vim.wait(60)]])
  local sent = context(child, "#params.files == 1")
  same(sent.files[1].selectedText, "one\n")
  child:lua([[vim.cmd.wincmd("p")]])
  context(child, "params.files[1].selectedText == nil")
end)

test("the same state is not sent twice, and a moving cursor sends at most every 50 ms", function(child)
  open(child, harness.file("one.txt", ("x\n"):rep(500)))
  context(child, "#params.files == 1")
  child:keys("j")
  context(child, "params.files[1].cursor.line == 2")
  local before = #child:sent("companion/context")
  child:keys("jk")
  child:lua("vim.wait(100)")
  assert(#child:sent("companion/context") <= before + 2)
  local started = vim.loop.now()
  child:keys(("j"):rep(300))
  context(child, "params.files[1].cursor.line == 302")
  vim.loop.update_time()
  local most = (vim.loop.now() - started) / 50 + 4
  assert(#child:sent("companion/context") - before <= most, #child:sent("companion/context"))
end)

test("a single movement is sent at once, without a timer", function(child)
  open(child, harness.file("one.txt", "x\n\n\n"))
  context(child, "#params.files == 1")
  child:lua([[vim.wait(120) vim.loop.new_timer = nil vim.schedule_wrap = nil]])
  child:keys("j")
  same(child:sent("companion/context")[#child:sent("companion/context")].files[1].cursor.line, 2)
end)

test("of very many files the newest are sent", function(child)
  local folder = vim.fs.dirname(harness.file("one.txt", ""))
  child:lua("for n = 1, 40 do vim.cmd.edit(... .. '/' .. n) end", folder)
  child:lua([[require("ide-companion").start()]])
  local sent = context(child, "#params.files > 0")
  same({ #sent.files, sent.activePath }, { 30, folder .. "/40" })
end)

test("bytes that are no text do no harm", function(child)
  open(child, harness.file("binary", "\0\255\254\128\0 \192\n\0\n"))
  child:keys("v$")
  local sent = context(child, "#params.files == 1 and params.files[1].selectedText ~= nil")
  same(sent.files[1].cursor.line, 1)
end)

test("a restored session is sent", function(child)
  local one, two = harness.file("one.txt", "1\n"), harness.file("two.txt", "2\n")
  local session = vim.fs.dirname(one) .. "/Session.vim"
  child:lua(
    "local one, two, session = ... vim.cmd.edit(one) vim.cmd.vsplit(two) vim.cmd.mksession(session)",
    one,
    two,
    session
  )
  child:lua("vim.cmd('%bwipeout!')")
  child:lua([[vim.cmd.source(...) require("ide-companion").start()]], session)
  local sent = context(child, "#params.files == 2")
  same(sent.activePath, two)
end)

test("the folders follow the working directory", function(child)
  local folder = vim.fs.dirname(harness.file("one.txt", ""))
  vim.fn.mkdir(folder .. "/deep", "p")
  child:lua([[require("ide-companion").start()]])
  child:lua("vim.cmd.cd(...)", folder .. "/deep")
  local changes = child:sent("workspace/didChangeWorkspaceFolders")
  same(changes[1].event.added[1].uri, vim.fn.resolve(folder .. "/deep"))
  same(#changes[1].event.removed, 1)
end)

for way, keys in pairs({
  ["by CTRL-W"] = "<C-w>w",
  ["by a command"] = ":<C-u>terminal sleep 100<CR>",
  ["by :IdeCompanion run"] = ":IdeCompanion run gemini<CR>",
}) do
  test("a selection reaches the prompt of an agent whose terminal is gone to " .. way, function(child)
    open(child, harness.file("one.txt", "one\ntwo\n"))
    child:lua([[
      vim.cmd("split | terminal sleep 100")
      vim.cmd.wincmd("p")
      require("ide-companion").setup({ cmd = { "sleep", "lsp" } })
    ]])
    child:keys("v$")
    context(child, [[params.files[1].selectedText == "one\n"]])
    child:lua("vim.wait(100)") -- what comes now is sent at once
    local before = #child:sent("companion/context")
    child:lua([[
      answers["companion/review"] = function()
        handlers["companion/status"]({ port = 1, env = { IDE_TEST = "1" }, sessions = {}, diffs = {} })
      end
    ]])
    child:keys(keys)
    child:until_true("return vim.bo.buftype == 'terminal'")
    child:lua("vim.wait(100)")
    for _, sent in ipairs(vim.list_slice(child:sent("companion/context"), before)) do
      same(sent.files[1].selectedText, "one\n")
    end
  end)
end

for _, keys in ipairs({ "<Esc>", ":<Esc>", ":<C-u>echo<CR>" }) do
  test("a selection that its user ends is sent no more: " .. keys, function(child)
    open(child, harness.file("one.txt", "one\ntwo\n"))
    child:keys("v$")
    context(child, [[params.files[1].selectedText == "one\n"]])
    child:keys(keys)
    context(child, "params.files[1].selectedText == nil")
  end)
end

test("the old side of a git diff is not sent as the file, nor is what is selected there", function(child)
  open(child, harness.file("one.txt", "one\ntwo\n"))
  context(child, "#params.files == 1")
  child:lua([[
    vim.cmd("leftabove vertical new | setlocal buftype=nofile | 0put ='old'")
    vim.cmd("silent file fugitive:///app/.git//0/one.txt")
    vim.cmd("diffthis | wincmd p | diffthis | wincmd p")
  ]])
  child:keys("ggV")
  child:lua("vim.wait(100)")
  local all = child:sent("companion/context")
  same({ #all[#all].files, all[#all].files[1].selectedText }, { 1 })
end)
