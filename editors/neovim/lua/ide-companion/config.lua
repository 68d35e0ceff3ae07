-- The options and their defaults.
local M = {}

local defaults = {
  -- How the server is started.
  cmd = { "ide-companion", "lsp" },
  -- With the first file; else by `:IdeCompanion start`.
  auto_start = true,
  -- A function that returns the workspace folders; by default the repository of the working directory.
  root = nil,
  -- What agents do not receive, besides what nobody shares: patterns as in a .gitignore, and what git ignores.
  exclude = {},
  exclude_git_ignored = false,
  -- Whether agents may accept their own changes.
  agent_accept = true,
  diff = {
    layout = "vertical",
    -- Go to a proposal as soon as it comes and the user does not type.
    focus = false,
    -- The agents whose proposals open in the browser, and not here.
    in_browser = {},
    -- Only inside of the diff.
    keys = {
      accept = "<LocalLeader>a",
      reject = "<LocalLeader>r",
      comment = "<LocalLeader>c",
      ask_more = "<LocalLeader>A",
      say_why = "<LocalLeader>R",
      next = "<LocalLeader>n",
      previous = "<LocalLeader>p",
    },
  },
  -- Where `:IdeCompanion run` shows an agent; the size is in columns or lines, below 1 a share of the screen. In tmux,
  -- agents outlast Neovim.
  terminal = { position = "right", size = nil, tmux = false },
}

local function is_boolean(value)
  return type(value) == "boolean", "true or false"
end

local function is_key(value)
  return value == false or type(value) == "string", "a key, or false"
end

local function is_table(value)
  return type(value) == "table", "a table"
end

---Every option by its path. A check returns whether a value is valid, and what a valid one is.
local checks = {
  cmd = function(value)
    local fits = type(value) == "table" and #value > 1 and value[#value] == "lsp"
    return fits, 'a list of words that ends with "lsp"'
  end,
  auto_start = is_boolean,
  root = function(value)
    return value == nil or type(value) == "function", "a function that returns a list of folders"
  end,
  exclude = function(value)
    local fits = type(value) == "table"
    for _, pattern in pairs(fits and value or {}) do
      fits = fits and type(pattern) == "string"
    end
    return fits, 'a list of patterns, such as { "drafts/" }'
  end,
  exclude_git_ignored = is_boolean,
  agent_accept = is_boolean,
  diff = is_table,
  ["diff.layout"] = function(value)
    return value == "vertical" or value == "horizontal" or value == "unified",
      '"vertical", "horizontal" or "unified"'
  end,
  ["diff.focus"] = is_boolean,
  ["diff.in_browser"] = function(value)
    return type(value) == "table", 'a list of agents, such as { "gemini" }'
  end,
  ["diff.keys"] = is_table,
  terminal = is_table,
  ["terminal.position"] = function(value)
    local known = vim.tbl_contains({ "right", "left", "above", "below", "float", "tab" }, value)
    return known, '"right", "left", "above", "below", "float" or "tab"'
  end,
  ["terminal.size"] = function(value)
    return value == nil or (type(value) == "number" and value > 0), "a number above 0"
  end,
  ["terminal.tmux"] = is_boolean,
}

for name in pairs(defaults.diff.keys) do
  checks["diff.keys." .. name] = is_key
end

local function check(options, given)
  -- From outer to inner: `diff` has to be a table before its layout is checked.
  local paths = vim.tbl_keys(checks)
  table.sort(paths)
  for _, path in ipairs(paths) do
    local value = options
    for name in path:gmatch("[^.]+") do
      value = value[name]
    end
    local ok, wanted = checks[path](value)
    if not ok then
      error(("ide-companion: %s must be %s, got %s"):format(path, wanted, vim.inspect(value)), 0)
    end
  end
  local function expect_known(part, prefix)
    for name, value in pairs(part) do
      local path = prefix .. name
      if not checks[path] then
        error(("ide-companion: there is no option %s. See :help ide-companion-options"):format(path), 0)
      elseif checks[path] == is_table then
        expect_known(value, path .. ".")
      end
    end
  end
  expect_known(given, "")
end

M.options = vim.deepcopy(defaults)

---Sets the options of the user. An error names the wrong option and its value.
---@param given table|nil
function M.set(given)
  given = given or {}
  local options = vim.tbl_deep_extend("force", vim.deepcopy(defaults), given)
  options.cmd = given.cmd or options.cmd -- lists are not to be merged
  check(options, given)
  M.options = options
end

return M
