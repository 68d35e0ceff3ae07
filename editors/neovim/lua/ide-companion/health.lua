-- :checkhealth ide-companion
local M = {}

-- Neovim 0.10 has new names for these functions.
local health = vim.health
local start, ok = health.start or health.report_start, health.ok or health.report_ok
local warn, err = health.warn or health.report_warn, health.error or health.report_error
local info = health.info or health.report_info

---The output of a command; nil when it fails.
local function output_of(command)
  local text = vim.trim(vim.fn.system(command))
  return vim.v.shell_error == 0 and text or nil, text
end

local function check_command()
  local cmd = require("ide-companion.config").options.cmd
  if vim.fn.executable(cmd[1]) == 0 then
    err(("%s is not in your PATH"):format(cmd[1]), {
      "Install it: npm install --global ide-companion",
      'Or name it: require("ide-companion").setup({ cmd = { "/path/to/ide-companion", "lsp" } })',
    })
    return
  end
  local command = vim.list_extend(vim.list_slice(cmd, 1, #cmd - 1), { "--version" })
  local version, printed = output_of(command)
  if version then
    ok(("%s is version %s"):format(vim.fn.exepath(cmd[1]), version))
  else
    local node = vim.fn.executable("node") == 1 and output_of({ "node", "--version" }) or "missing"
    err(("%s does not run"):format(cmd[1]), { printed, ("It needs Node 20.19 or newer; yours is %s"):format(node) })
  end
end

local function check_server()
  local status = require("ide-companion").status()
  if not status.port then
    warn("the companion is not running", { ":IdeCompanion start", ":IdeCompanion log shows why it ended" })
    return
  end
  ok(("the companion listens on port %d"):format(status.port))
  ok("agents find it in " .. table.concat(require("ide-companion.roots").current(), ", "))
  for _, session in ipairs(status.sessions) do
    ok(session.agent .. " is connected")
  end
  if #status.sessions == 0 then
    info("no agent is connected yet: connect one by its command /ide, or start one here by :IdeCompanion run")
  end
  if #status.diffs > 0 then
    info(("proposals that wait for you: %d (:IdeCompanion diff)"):format(#status.diffs))
  end
end

local function check_agents()
  for _, agent in ipairs(require("ide-companion.server").agents()) do
    if vim.fn.executable(agent.command) == 1 then
      ok(("%s is installed"):format(agent.displayName))
    else
      info(("%s is not installed: there is no %s in your PATH"):format(agent.displayName, agent.command))
    end
  end
end

function M.check()
  start("ide-companion")
  local version = vim.version()
  ok(("Neovim is %d.%d.%d"):format(version.major, version.minor, version.patch))
  check_command()
  check_server()
  check_agents()
end

return M
