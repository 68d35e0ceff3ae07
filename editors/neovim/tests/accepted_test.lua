local harness = require("harness")
local test, same = harness.test, harness.same

test("unsaved edits of the file are mentioned and not touched", function(child)
  local path = harness.file("a b#%[.txt", "old\n")
  child:lua("vim.cmd.edit(vim.fn.fnameescape(...))", path)
  child:keys("Aunsaved<Esc>")
  child:propose({ filePath = path, label = "a b#%[.txt", original = "old\n" })
  child:lua([[require("ide-companion").diff()]])
  local bar = child:bar(child:lua("return vim.api.nvim_tabpage_list_wins(0)[1]"))
  assert(bar:find("unsaved changes"), bar)
  child:keys(":q<CR>")
  child:settle()
  same(child:lua("return { vim.api.nvim_get_current_line(), vim.bo.modified }"), { "oldunsaved", true })
end)

test("the buffer of an accepted file follows what its agent writes", function(child)
  local path = harness.file("a.txt", "old\n")
  child:lua("vim.cmd.edit(...)", path)
  child:propose({ filePath = path, newContent = "new\n", original = "old\n" })
  child:lua([[require("ide-companion").accept()]])
  child:settle()
  local file = assert(io.open(path, "wb"))
  file:write("new and longer\n")
  file:close()
  child:lua([[handlers["companion/fileWritten"]({ filePath = ..., isWritten = false })]], path)
  same(child:lua("return vim.api.nvim_get_current_line()"), "old")
  child:lua([[handlers["companion/fileWritten"]({ filePath = ..., isWritten = true })]], path)
  child:until_true([[return vim.api.nvim_get_current_line() == "new and longer"]])
end)

test("a buffer that is deleted while its user types in it waits for nothing", function(child)
  local path = harness.file("a.txt", "old\n")
  child:lua("vim.cmd.edit(...)", path)
  child:propose({ filePath = path, newContent = "new\n", original = "old\n" })
  child:lua([[require("ide-companion").accept()]])
  child:settle()
  child:keys("i")
  child:lua([[handlers["companion/fileWritten"]({ filePath = ..., isWritten = true })]], path)
  child:keys("<Esc>:bwipeout!<CR>")
  child:lua("vim.wait(150)") -- it would have been reloaded
  same(child:lua([[return vim.fn.execute("messages"):find("Error") ]]), vim.NIL)
end)

-- An agent that writes as soon as it hears of the acceptance, which may be before we do; then the server says so.
local write_at_once = [[
  local path, content = ...
  local start = require("ide-companion.rpc").start
  require("ide-companion.rpc").start = function(options)
    local rpc = start(options)
    local request = rpc.request
    rpc.request = function(method, params, on_answer)
      if method ~= "companion/diffAccepted" then
        return request(method, params, on_answer)
      end
      local is_new = vim.loop.fs_stat(path) == nil
      local file = io.open(path, "wb")
      file:write(content)
      file:close()
      request(method, params, function(...)
        on_answer(...)
        local news = { agent = "Gemini CLI", label = "main.ts", filePath = path, isNew = is_new, isWritten = true }
        handlers["companion/fileWritten"](news)
      end)
    end
    return rpc
  end
]]

test("the buffer of an accepted file follows its agent, also when it was opened through a link", function(child)
  local path, link = harness.file("a [x] $b.txt", "old\n"), vim.fn.tempname()
  vim.loop.fs_symlink(path, link)
  child:lua(write_at_once, path, "123\n")
  child:lua("vim.cmd.edit(...)", link)
  child:propose({ filePath = path, newContent = "123\n", original = "old\n" })
  child:lua([[require("ide-companion").accept()]])
  child:until_true([[return vim.api.nvim_get_current_line() == "123"]])
end)

for _, arguments in ipairs({ { "--cmd", "set autoread" }, { "--cmd", "set noautoread" }, { "-M" } }) do
  test("a file that its agent writes at once is current in its buffer with " .. arguments[#arguments], function(child)
    local path = harness.file("a.txt", "old\n")
    child:lua(write_at_once, path, "1234\n")
    child:lua("vim.o.autoread = vim.o.autoread; vim.cmd.edit(...)", path)
    same(child:propose({ filePath = path, newContent = "1234\n", original = "old\n" }), true)
    child:lua([[require("ide-companion").diff()]])
    child:keys("ZZ")
    child:until_true([[return vim.api.nvim_get_current_line() == "1234" and not vim.bo.modified]])
    same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  end, arguments)
end

test("the buffer of a file that was not there follows what its agent writes", function(child)
  local path = harness.file("b.txt", "")
  os.remove(path)
  child:lua(write_at_once, path, "new\n")
  child:lua("vim.cmd.edit(...)", path)
  child:propose({ filePath = path, newContent = "new\n", original = false })
  child:lua([[require("ide-companion").accept()]])
  child:until_true([[return vim.api.nvim_get_current_line() == "new" and not vim.bo.modified]])
end)

for _, event in ipairs({ "WinEnter", "BufEnter", "TabEnter", "BufLeave", "WinClosed", "BufWinLeave" }) do
  test("an acceptance is done as a whole when an autocommand of the user fails for " .. event, function(child)
    local path = harness.file("a.txt", "old\n")
    child:lua(write_at_once, path, "1234\n")
    child:lua("vim.cmd.edit(...)", path)
    child:propose({ filePath = path, newContent = "1234\n", original = "old\n" })
    child:lua([[require("ide-companion").diff()]])
    child:lua("vim.cmd(...)", ("autocmd %s * throw 'no luck'"):format(event))
    child:keys("ZZ")
    child:until_true([[return vim.api.nvim_get_current_line() == "1234" and not vim.bo.modified]])
    same(child:layout(), { tabs = 1, wins = 1 })
    same(child:lua([[return #vim.fn.getbufinfo()]]), 1)
    same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  end)
end

test("a file that was not there is read once when an autocommand of the user fails", function(child)
  local path = harness.file("b.txt", "")
  os.remove(path)
  child:lua(write_at_once, path, "new\n")
  child:lua("vim.cmd.edit(...)", path)
  child:propose({ filePath = path, newContent = "new\n", original = false })
  child:lua([[
    vim.g.count = 0
    vim.cmd("autocmd BufReadPost * let g:count += 1 | throw 'no luck'")
    require("ide-companion").accept()
  ]])
  child:until_true([[return vim.api.nvim_get_current_line() == "new"]])
  child:settle()
  same(child:lua("return vim.g.count"), 1)
end)

---An accepted proposal was written under unsaved changes.
local function conflict(child)
  local path = harness.file("a.txt", "one\n\ntwo\n")
  child:lua(write_at_once, path, "one\n\n2\n")
  child:lua("vim.cmd.edit(...)", path)
  child:keys("ggImy <Esc>")
  child:propose({ filePath = path, newContent = "one\n\n2\n", original = "one\n\ntwo\n" })
  child:lua([[require("ide-companion").accept()]])
  local news = "Gemini CLI has written main.ts, .*:IdeCompanion merge"
  child:until_true([[return vim.fn.execute("messages"):find(...) ~= nil]], news)
  return path
end

local function content_of(path)
  local file = assert(io.open(path, "rb"))
  local content = file:read("*a")
  file:close()
  return content
end

test(":w of unsaved changes does not write over what was accepted, and asks nothing", function(child)
  local path = conflict(child)
  child:keys(":w<CR>")
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  assert(child:row(0):find(":IdeCompanion merge, or :w! "), child:row(0))
  same(content_of(path), "one\n\n2\n")
  child:keys(":checktime<CR>")
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  same(child:lua("return { vim.api.nvim_get_current_line(), vim.bo.modified }"), { "my one", true })
  local other = path .. ".mine"
  child:keys(":w " .. other .. "<CR>")
  same({ content_of(path), content_of(other) }, { "one\n\n2\n", "my one\n\ntwo\n" })
  child:keys(":w!<CR>")
  same(content_of(path), "my one\n\ntwo\n")
  child:keys("0x:w<CR>") -- all is as before
  same(content_of(path), "y one\n\ntwo\n")
end)

test(":e! loads what was accepted", function(child)
  local path = conflict(child)
  child:keys(":e!<CR>Gx:w<CR>")
  child:settle()
  same(content_of(path), "one\n\n\n")
end)

test(":IdeCompanion merge puts what was accepted into the buffer, and :w saves the result", function(child)
  local path = conflict(child)
  child:lua([[answers["companion/merge"] = { content = "my one\n\n2\n", isClean = true }]])
  child:lua("vim.cmd.enew()")
  child:keys(":IdeCompanion merge<CR>")
  local asked = { filePath = path, before = "one\n\ntwo\n", content = "my one\n\ntwo\n" }
  same(child:sent("companion/merge"), { asked })
  same(child:lua("return { vim.fn.bufname(), vim.fn.getline(1, '$') }"), { path, { "my one", "", "2" } })
  same(child:row(0), "Merged: :w saves it, u undoes that")
  child:keys(":w<CR>")
  same(child:call("nvim_get_mode"), { mode = "n", blocking = false })
  same(content_of(path), "my one\n\n2\n")
  child:keys("u:w<CR>") -- all is as before
  same(content_of(path), "my one\n\ntwo\n")
end)

test("changes that are apart since an earlier acceptance are merged with the text of then", function(child)
  local path = conflict(child)
  child:propose({ filePath = path, newContent = "one\n\n2\n", original = "one\n\n3\n", id = "2" })
  child:lua([[require("ide-companion").accept()]])
  child:lua([[answers["companion/merge"] = { content = "<<<<<<< on disk\n", isClean = false }]])
  child:keys(":IdeCompanion merge<CR>")
  same(child:sent("companion/merge")[1].before, "one\n\ntwo\n")
  same(child:row(0), "Both have changed the same lines: choose between the versions, then :w")
end)
