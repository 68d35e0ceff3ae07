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

---@return string[]|nil how the program of the server is called; nil when that is not possible
local function check_command()
  local cmd = require("ide-companion.config").options.cmd
  if vim.fn.executable(cmd[1]) == 0 then
    return err(("%s is not in your PATH"):format(cmd[1]), {
      "Install it: npm install --global ide-companion",
      'Or name it: require("ide-companion").setup({ cmd = { "/path/to/ide-companion", "lsp" } })',
    })
  end
  local command = vim.list_slice(cmd, 1, #cmd - 1)
  local version, printed = output_of(vim.list_extend(vim.deepcopy(command), { "--version" }))
  if version then
    ok(("%s is version %s"):format(vim.fn.exepath(cmd[1]), version))
    return command
  end
  local node = vim.fn.executable("node") == 1 and output_of({ "node", "--version" }) or "missing"
  err(("%s does not run"):format(cmd[1]), { printed, ("It needs Node 20.19 or newer; yours is %s"):format(node) })
end

function M.check()
  start("ide-companion")
  local version = vim.version()
  ok(("Neovim is %d.%d.%d"):format(version.major, version.minor, version.patch))
  local command = check_command()
  local status = require("ide-companion.status").get()
  if status.port then
    ok(status.sentence)
  else
    warn("the companion is not running", { ":IdeCompanion start", ":IdeCompanion log shows why it ended" })
  end
  if command then
    start("ide-companion doctor")
    info(select(2, output_of(vim.list_extend(command, { "doctor" }))))
  end
end

return M
