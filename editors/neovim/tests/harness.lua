-- Tests in another Neovim, driven over its own RPC: modes, windows and autocommands are the real ones.
local M = {}

-- Absolute, because a child may go to another folder.
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")
local root = vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(here)))
local passed, failures = 0, {}
-- Only a child that hangs takes so long, even on a busy machine.
local patience_ms = 60000

local function print(line)
  io.stdout:write(line .. "\n")
  io.stdout:flush()
end

local Child = {}
Child.__index = Child

---@param arguments string[]|nil of Neovim
---@return table a Neovim with a screen of 100 x 30, the plugin in its path, and a server that only listens
function M.child(arguments)
  local command = vim.list_extend({ vim.v.progpath, "--embed", "--clean", "-n" }, arguments or {})
  local job
  local child = setmetatable({}, Child)
  job = vim.fn.jobstart(command, {
    rpc = true,
    on_exit = function(_, code)
      child.exit_code = code
    end,
  })
  child.job = job
  -- A child that waits for a key would never answer; nothing but libuv runs meanwhile.
  local pid = vim.fn.jobpid(job)
  child.watchdog = vim.loop.new_timer()
  child.watchdog:start(patience_ms, 0, function()
    vim.loop.kill(pid, "sigkill")
  end)
  child:call("nvim_ui_attach", 100, 30, {})
  child:lua(
    [[
    vim.opt.rtp:prepend(...)
    -- As in Neovim 0.9.
    vim.ui.open = nil
    _G.sent, _G.result = {}, { taken = true }
    local agents = {
      { name = "gemini", displayName = "Gemini CLI", command = "gemini" },
      { name = "other", displayName = "Another Agent", command = "other" },
    }
    agents[1].resumeArguments = { "--last", "one" }
    -- What the server answers to other requests, by method.
    _G.answers = {}
    -- The rows of lists, by name, and what acts lead to, by code.
    _G.lists, _G.acts = {}, {}
    _G.greeting = { capabilities = { experimental = { ideCompanion = { version = 1, agents = agents } } } }
    local current
    -- Where texts differ, as the server says it.
    local originals = {}
    -- Comments as the server has them, by proposal.
    _G.comments = {}
    local texts = {}
    ---Comments with the lines of the other side that are next to them.
    function _G.place(id, all)
      local hunks = compare(originals[id] or "", texts[id] or "")
      return vim.tbl_map(function(one)
        local by = 0
        for _, hunk in ipairs(hunks) do
          local here, size, there, other = hunk.line, hunk.added, hunk.from, hunk.removed
          if one.side == "original" then
            here, size, there, other = there, other, here, size
          end
          if one.endLine < here then
            break
          elseif one.endLine < here + size then
            return vim.tbl_extend("force", one, { across = there + math.min(one.endLine - here, other - 1) })
          end
          by = there + other - here - size
        end
        return vim.tbl_extend("force", one, { across = one.endLine + by })
      end, all)
    end
    local function comment(params)
      local all = _G.comments[params.id] or {}
      local one = { id = params.comment or tostring(#all + 1), side = params.side, startLine = params.startLine,
        endLine = params.endLine, text = params.text }
      all = vim.tbl_filter(function(other) return other.id ~= one.id end, all)
      _G.comments[params.id] = one.text == "" and all or vim.list_extend(all, { one })
      return { comments = _G.comments[params.id] }
    end
    _G.answers["companion/comment"] = function(params)
      return { comments = place(params.id, comment(params).comments) }
    end
    function _G.compare(before, after)
      local function text_of(text)
        text = text:gsub("^\239\187\191", "")
        return text:find("[^\r]\n") and text or (text:gsub("\r\n", "\n"))
      end
      local found = vim.diff(text_of(before), text_of(after), { result_type = "indices", algorithm = "histogram" })
      return vim.tbl_map(function(one)
        local from, removed, line, added = unpack(one)
        return { line = added > 0 and line or line + 1, added = added, from = removed > 0 and from or from + 1,
          removed = removed }
      end, found)
    end
    function _G.compared(params)
      local original = params.original ~= vim.NIL and params.original or ""
      local shown = params.content or params.newContent
      originals[params.id], texts[params.id] = original, shown
      params.hunks, params.edits = compare(original, shown), compare(params.seen or shown, shown)
      return params
    end
    local fake = {
    notify = function(...) current.notify(...) end,
    request = function(...) current.request(...) end,
    start = function(options)
      _G.server_options = options
      _G.handlers = setmetatable({}, { __index = function(_, method)
        local handler = options.handlers[method]
        if method == "companion/status" then
          return function(params) handler(vim.tbl_extend("keep", params, { ahead = {}, line = "", sentence = "" })) end
        end
        if type(handler) ~= "string" then return handler end
        local module, name = handler:match("^(.+)%.(.+)$")
        return require("ide-companion." .. module)[name]
      end })
      local function record(method, params)
        table.insert(_G.sent, { method = method, params = params or {} })
      end
      current = {
        notify = record,
        request = function(method, params, on_answer)
          record(method, params)
          if method == "companion/draft" then
            local hunks = compare(originals[params.id] or "", params.content)
            texts[params.id] = params.content
            local all = place(params.id, _G.comments[params.id] or {})
            return vim.schedule(function() on_answer({ hunks = hunks, facts = {}, comments = all }) end)
          end
          if method == "companion/list" then
            local rows = vim.tbl_map(_G.in_buffer or vim.deepcopy, vim.tbl_filter(function(row)
              return row.text:find(params.wanted or "", 1, true) ~= nil
            end, lists[params.list] or {}))
            local answer = { title = "The list", none = "There is nothing.", rows = rows }
            return vim.schedule(function() on_answer(answer) end)
          elseif method == "companion/act" then
            local act = acts[params.action]
            return vim.schedule(function() on_answer(type(act) == "function" and act(params) or act) end)
          end
          local answer = method == "initialize" and _G.greeting or _G.answers[method] or _G.result
          if type(answer) == "function" then answer = answer(params) end
          vim.schedule(function() on_answer(answer) end)
        end,
        kill = function() _G.killed = true end,
      }
      return current
    end }
    local root = ...
    package.preload["ide-companion.rpc"] = function()
      local rpc = dofile(root .. "/lua/ide-companion/rpc.lua")
      for name, act in pairs(fake) do rpc[name] = act end
      return rpc
    end
    vim.cmd.runtime("plugin/ide-companion.lua")
    ]],
    root
  )
  return child
end

function Child:call(method, ...)
  return vim.rpcrequest(self.job, method, ...)
end

---Runs Lua in it. @return what it returns
function Child:lua(code, ...)
  return self:call("nvim_exec_lua", code, { ... })
end

---Types, as at the keyboard, and waits until all of it is worked off.
function Child:keys(keys)
  self:call("nvim_input", keys)
  self:settle()
end

---Waits until everything that is scheduled has run.
function Child:settle()
  for _ = 1, 3 do
    self:call("nvim_eval", "1")
  end
end

---Waits until Lua in it returns something true. @return that
function Child:until_true(code, ...)
  local arguments, found = { ... }, nil
  local ok = vim.wait(patience_ms / 2, function()
    found = self:lua(code, unpack(arguments))
    return found ~= nil and found ~= false and found ~= vim.NIL
  end, 10)
  if not ok then
    error("never true: " .. code .. "\nsent: " .. vim.inspect(self:lua("return sent")), 2)
  end
  return found
end

---Types what may end it. @return its exit code, or nil when it asks for a key instead
function Child:leaves(keys)
  vim.rpcnotify(self.job, "nvim_input", keys) -- it may be gone before it answers
  vim.wait(patience_ms / 2, function()
    local ok, mode = pcall(self.call, self, "nvim_get_mode")
    return self.exit_code ~= nil or (ok and mode.mode:find("^r") ~= nil)
  end, 10)
  return self.exit_code
end

function Child:mode()
  return self:call("nvim_get_mode").mode
end

---What a window shows above its text. @param window integer|nil by default the current one
function Child:bar(window)
  return self:lua(
    [[
    local window = ... or vim.api.nvim_get_current_win()
    return vim.api.nvim_eval_statusline(vim.wo[window].winbar, { winid = window, use_winbar = true }).str
    ]],
    window
  )
end

---A row of the screen, 1-based, as it is seen; the last one when it is 0 or below.
function Child:row(number)
  return self:lua(
    [[
    vim.cmd.redraw()
    local row = ... > 0 and ... or vim.o.lines + ...
    local cells = {}
    for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
    return (table.concat(cells):gsub("%s+$", ""))
    ]],
    number
  )
end

---A proposal, as the server sends it.
function Child:propose(fields)
  local params = vim.tbl_extend("force", {
    id = "1",
    agent = "Gemini CLI",
    filePath = "/app/main.ts",
    label = "main.ts",
    newContent = "one\n2\nthree\n",
    original = "one\ntwo\nthree\n",
    notes = {},
    facts = {},
  }, fields or {})
  return self:lua(
    [[
    local params = ...
    if params.original == false then params.original = vim.NIL end
    require("ide-companion").start()
    return handlers["companion/openDiff"](compared(params)) == vim.NIL
    ]],
    params
  )
end

---The parameters of the messages of a kind that were sent to the server.
function Child:sent(method)
  return vim.tbl_map(
    function(message)
      return message.params
    end,
    vim.tbl_filter(function(message)
      return message.method == method
    end, self:lua("return sent"))
  )
end

---How many tabs and windows there are.
function Child:layout()
  return self:lua([[return { tabs = #vim.api.nvim_list_tabpages(), wins = #vim.api.nvim_list_wins() }]])
end

---The text in each window of the current tab.
function Child:texts_of_tab()
  return self:lua([[
    return vim.tbl_map(function(window)
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), "|")
    end, vim.api.nvim_tabpage_list_wins(0))
  ]])
end

---The buffers in which texts of closed proposals are saved: name and text.
function Child:saved_texts()
  return self:lua([[
    local found = {}
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      local name = vim.fn.bufname(buffer)
      if vim.bo[buffer].buflisted and name:find("^Your text: ") then
        table.insert(found, { name, table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "|") })
      end
    end
    return found
  ]])
end

function Child:stop()
  self.watchdog:close()
  vim.fn.jobstop(self.job)
  vim.fn.jobwait({ self.job }, 3000)
end

---A file in a folder of the test's own.
function M.file(name, content)
  local path = vim.fn.tempname() .. "/" .. name
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  local file = assert(io.open(path, "wb"))
  file:write(content)
  file:close()
  return path
end

---@param name string a sentence
---@param body fun(child: table)
---@param arguments string[]|nil of the Neovim that it is about
function M.test(name, body, arguments)
  local child = M.child(arguments)
  local ok, failure = xpcall(body, debug.traceback, child)
  pcall(child.stop, child)
  if ok then
    passed = passed + 1
    print("ok - " .. name)
  else
    failures[#failures + 1] = name
    print("not ok - " .. name .. "\n" .. failure)
  end
end

---@param actual any
---@param expected any
function M.same(actual, expected)
  if not vim.deep_equal(actual, expected) then
    error(("expected %s\ngot %s"):format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

---@return integer exit code
function M.finish()
  print(("%d passed, %d failed"):format(passed, #failures))
  return #failures == 0 and 0 or 1
end

return M
