-- JSON-RPC with a process, in LSP's framing. This module loads in a fraction of the time that Neovim's LSP client
-- needs.
local M = {}

local say = require("ide-companion.say")

---@class ide-companion.Rpc
---@field notify fun(method: string, params: table|nil)
---@field request fun(method: string, params: table|nil, on_answer: fun(result: any, error: table|nil))
---@field kill fun() Kills the process.

---@class ide-companion.RpcOptions
---@field cmd string[]
---@field handlers table<string, string|fun(params: table): any> They answer requests and handle notifications. A string
---names a function in a module that is loaded when it is first needed: `proposal.open`.
---@field on_stderr fun(line: string)
---@field on_exit fun(code: integer)

---The strict decoder refuses a lone surrogate; the lenient one is slower.
local function decode(text)
  local ok, value = pcall(vim.json.decode, text)
  return ok and value or vim.fn.json_decode(text)
end

---Cuts a stream into messages. What handles one may let the next chunk in, or fail: that is shown, and stops no other.
---@param on_message fun(body: string)
---@return fun(chunk: string)
function M.reader(on_message)
  local parts, size, needed = {}, 0, nil

  ---@return string|nil body of the next message that is complete
  local function take()
    if size < (needed or 1) then
      return nil
    end
    -- Large messages come in many chunks, which are joined when the last one is here.
    local all, is_body = table.concat(parts), needed ~= nil
    local cut = needed or select(2, all:find("\r\n\r\n", 1, true)) or 0
    local part = all:sub(1, cut)
    parts, size = { all:sub(cut + 1) }, size - cut
    needed = not is_body and cut > 0 and (tonumber(part:match("[Cc]ontent%-[Ll]ength: *(%d+)")) or 0) or nil
    return is_body and part or needed and take()
  end

  return function(chunk)
    parts[#parts + 1], size = chunk, size + #chunk
    for body in take do
      local ok, failure = pcall(on_message, body)
      if not ok then
        vim.schedule(function()
          say.error(tostring(failure))
        end)
      end
    end
  end
end

---@type ide-companion.Rpc|nil the one that runs
local current

---@param options ide-companion.RpcOptions
---@return ide-companion.Rpc|nil
---@return string|nil error why it could not be started
function M.start(options)
  local waiting, last_id = {}, 0
  local job

  local function send(message)
    message.jsonrpc = "2.0"
    local body = vim.json.encode(message)
    -- The process may have ended a moment ago; `on_exit` reports that.
    pcall(vim.fn.chansend, job, ("Content-Length: %d\r\n\r\n"):format(#body) .. body)
  end

  local function answer(message)
    local handler = options.handlers[message.method]
    if type(handler) == "string" then
      local module, name = handler:match("^(.+)%.(.+)$")
      handler = require("ide-companion." .. module)[name]
    end
    if message.id == nil then
      return handler and handler(message.params)
    elseif not handler then
      return send({ id = message.id, error = { code = -32601, message = "unknown: " .. message.method } })
    end
    local ok, result = pcall(handler, message.params)
    if ok then
      send({ id = message.id, result = result == nil and vim.NIL or result })
    else
      options.on_stderr(("%s: %s"):format(message.method, result))
      send({ id = message.id, error = { code = -32603, message = tostring(result) } })
    end
  end

  local read = M.reader(function(body)
    local message = decode(body)
    if message.method then
      return answer(message)
    end
    local on_answer = waiting[message.id]
    waiting[message.id] = nil
    if on_answer then
      on_answer(message.result, message.error)
    end
  end)

  if vim.fn.executable(options.cmd[1]) == 0 then
    return nil, ("There is no %s in your PATH"):format(options.cmd[1])
  end
  local stderr = ""
  local started, result = pcall(vim.fn.jobstart, options.cmd, {
    on_stdout = function(_, data)
      read(table.concat(data, "\n"))
    end,
    on_stderr = function(_, data)
      stderr = stderr .. table.concat(data, "\n")
      for line in stderr:gmatch("([^\n]*)\n") do
        options.on_stderr(line)
      end
      stderr = stderr:match("[^\n]*$")
    end,
    on_exit = function(_, code)
      current = nil
      options.on_exit(code)
    end,
  })
  if not started or result <= 0 then
    return nil, ("%s cannot be run"):format(options.cmd[1])
  end
  job = result

  current = {
    notify = function(method, params)
      send({ method = method, params = params })
    end,
    request = function(method, params, on_answer)
      last_id = last_id + 1
      waiting[last_id] = on_answer
      send({ id = last_id, method = method, params = params })
    end,
    kill = function()
      vim.fn.jobstop(job)
    end,
  }
  return current
end

---@param params table
function M.notify(method, params)
  if current then
    current.notify(method, params)
  end
end

---@param params table
---@param on_answer fun(result: any, error: table|nil)
function M.request(method, params, on_answer)
  if not current then
    return on_answer(nil, { message = "The companion is not running. Start it by :IdeCompanion start" })
  end
  current.request(method, params, on_answer)
end

---Sends a request, and shows why it fails.
---@param params table
---@param on_result fun(result: any)
function M.ask(method, params, on_result)
  M.request(method, params, function(result, failure)
    if failure then
      return say.error(failure.message)
    end
    on_result(result)
  end)
end

return M
