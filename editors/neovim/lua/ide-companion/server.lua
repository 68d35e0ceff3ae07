-- The companion's process: starts it, restarts it when it dies, and sends it the workspace folders.
local M = {}

local config = require("ide-companion.config")
local log = require("ide-companion.log")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local status = require("ide-companion.status")

local protocol_version = 1
-- After a process has run for so long, the next restart waits only for the first delay.
local stable_ms = 60000
local first_delay_ms, longest_delay_ms = 1000, 60000
-- How long a server may take to end before it is killed.
local farewell_ms = 2000

---@type ide-companion.Rpc|nil
local server
local wanted, is_ending = false, false
local delay = first_delay_ms
local group
local after_exit
---@type { name: string, displayName: string, command: string, resumeArguments: string[]|nil }[]
local agents = {}
local last_words

local function on_message(params)
  local show = ({ say.error, say.warn })[params.type] or say.info
  show(params.message)
end

---Opens a link in the browser. No other document is supported.
local function show_document(params)
  if not params.external or not vim.ui.open then
    return { success = false }
  end
  local ok, job = pcall(vim.ui.open, params.uri)
  return { success = ok and job ~= nil }
end

local handlers = {
  ["companion/openDiff"] = "proposal.open",
  ["companion/closeDiff"] = "diff.close",
  ["companion/readDiff"] = "diff.read",
  ["companion/updateDiff"] = "diff.update",
  ["companion/comments"] = "comments.take",
  ["companion/fileWritten"] = "reload.written",
  ["companion/writtenHunks"] = "written.hunks",
  ["companion/news"] = "stored.news",
  ["companion/openFile"] = "capabilities.open",
  ["companion/diagnostics"] = "capabilities.diagnostics",
  ["companion/readTerminal"] = "screens.read",
  ["companion/typeInTerminal"] = "screens.type",
  ["companion/status"] = status.set,
  ["window/showMessage"] = on_message,
  ["window/showDocument"] = show_document,
  ["window/logMessage"] = function(params)
    log.add(params.message)
  end,
}

---@return string[] absolute paths of the folders in which agents find this editor
local function current_folders()
  local root = config.options.root
  return root and root() or { vim.fn.getcwd(-1, -1) }
end

---@param folders string[]
local function to_lsp(folders)
  return vim.tbl_map(function(folder)
    return { uri = folder, name = vim.fs.basename(folder) }
  end, folders)
end

---`vim.version()` collects the whole API metadata, which takes half as long as the rest of the start.
local function editor_version()
  return vim.fn.execute("version"):match("%d+%.%d+%.%d+")
end

local function initialize_params(folders)
  local options = config.options
  return {
    processId = vim.fn.getpid(),
    clientInfo = { name = "Neovim", version = editor_version() },
    rootUri = vim.NIL,
    workspaceFolders = to_lsp(folders),
    initializationOptions = {
      exclude = options.exclude,
      excludeGitIgnored = options.exclude_git_ignored,
      agentAccept = options.agent_accept,
    },
    capabilities = {
      window = { showDocument = { support = vim.ui.open ~= nil } },
      experimental = {
        ideCompanion = {
          version = protocol_version,
          openFile = true,
          diagnostics = true,
          terminals = true,
          comments = true,
          repositories = options.root == nil,
        },
      },
    },
  }
end

local start

local function start_later()
  vim.defer_fn(function()
    if wanted and not server then
      start()
    end
  end, delay)
  delay = math.min(delay * 2, longest_delay_ms)
end

---@param run { started_at: integer, answered: boolean }
local function on_unwanted_exit(code, run)
  if not run.answered then -- another start would not help
    wanted, delay = false, first_delay_ms
    local why = last_words or ("exit code %d"):format(code)
    return say.error(("See :checkhealth ide-companion. The server ends at once: %s"):format(why))
  elseif vim.loop.now() - run.started_at > stable_ms then
    delay = first_delay_ms
  end
  say.warn(("ide-companion has ended with %d, starting it again in %d s"):format(code, delay / 1000))
  start_later()
end

---A module that is loaded only when it is needed; nil before.
local function loaded(part)
  return package.loaded["ide-companion." .. part]
end

local function on_exit(code, run)
  server, is_ending = nil, false
  status.clear()
  if loaded("context") then
    loaded("context").stop()
  end
  if loaded("proposal") then
    require("ide-companion.diff").orphan()
  end
  pcall(vim.api.nvim_del_augroup_by_id, group)
  log.add(("the server has ended with %d"):format(code))
  local continue = after_exit
  after_exit = nil
  if vim.v.exiting ~= vim.NIL then
    return
  elseif continue then
    continue()
  elseif wanted then
    on_unwanted_exit(code, run)
  end
end

---The folders follow the working directory.
local function follow_folders(folders)
  group = vim.api.nvim_create_augroup("ide-companion-roots", {})
  vim.api.nvim_create_autocmd("DirChanged", {
    group = group,
    callback = function()
      local next_folders = current_folders()
      if server and not vim.deep_equal(next_folders, folders) then
        local event = { added = to_lsp(next_folders), removed = to_lsp(folders) }
        folders = next_folders
        server.notify("workspace/didChangeWorkspaceFolders", { event = event })
      end
    end,
  })
end

---@param mine ide-companion.Rpc
local function on_initialized(mine, result, failure)
  local ours = not failure and vim.tbl_get(result, "capabilities", "experimental", "ideCompanion")
  if not ours or ours.version ~= protocol_version then
    M.stop()
    local why = failure and failure.message or "it is of another version than this plugin"
    return say.error(("ide-companion cannot be used: %s"):format(why))
  end
  agents = ours.agents or {}
  mine.notify("initialized", vim.empty_dict())
  require("ide-companion.context").start(mine)
end

start = function()
  local run = { started_at = vim.loop.now(), answered = false }
  local failure
  last_words = nil
  server, failure = rpc.start({
    cmd = config.options.cmd,
    handlers = handlers,
    on_stderr = function(line)
      last_words = line:find("%S") and line or last_words
      log.add(line)
    end,
    on_exit = function(code)
      on_exit(code, run)
    end,
  })
  if not server then
    wanted = false
    say.error(failure .. ". See :checkhealth ide-companion")
    return
  end
  local folders = current_folders()
  local mine = server
  mine.request("initialize", initialize_params(folders), function(result, refusal)
    run.answered = true
    on_initialized(mine, result, refusal)
  end)
  follow_folders(folders)
end

---@return boolean
function M.running()
  return server ~= nil
end

---@return { name: string, displayName: string, resumeArguments: string[]|nil }[] empty before the first start
function M.agents()
  return agents
end

---An editor in which git wants a message ends soon: an agent that connects to it would be left alone.
---@return boolean
function M.is_of_git()
  return vim.fn.exists("$GIT_EXEC_PATH") == 1 and vim.fn.exists("$GIT_PREFIX") == 1
end

function M.start()
  if M.is_of_git() then
    return say.info("Git has started this Neovim for a message: it serves no agent.")
  end
  wanted = true
  if not server then
    start()
  elseif is_ending then
    after_exit = M.start
  end
end

---Stops the server until the next start.
---@param on_stopped nil|fun()
function M.stop(on_stopped)
  wanted = false
  if not server then
    return on_stopped and on_stopped()
  end
  local stopping = server
  is_ending, after_exit = true, on_stopped
  stopping.request("shutdown", nil, function()
    stopping.notify("exit")
  end)
  vim.defer_fn(function()
    if server == stopping then
      stopping.kill()
    end
  end, farewell_ms)
end

function M.restart()
  delay = first_delay_ms
  M.stop(M.start)
end

return M
