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

---@return fun(value: any): boolean, string
local function one_of(...)
  local words = { ... }
  return function(value)
    local last = #words
    local all = '"' .. table.concat(words, '", "', 1, last - 1) .. '" or "' .. words[last] .. '"'
    return vim.tbl_contains(words, value), all
  end
end

---Options whose default does not tell what they must be, by path. A check returns whether a value is valid, and what a
---valid one is.
local checks = {
  cmd = function(value)
    local fits = type(value) == "table" and #value > 1 and value[#value] == "lsp"
    return fits, 'a list of words that ends with "lsp"'
  end,
  root = function(value)
    return type(value) == "function", "a function that returns a list of folders"
  end,
  exclude = function(value)
    local fits = type(value) == "table"
    for _, pattern in pairs(fits and value or {}) do
      fits = fits and type(pattern) == "string"
    end
    return fits, 'a list of patterns, such as { "drafts/" }'
  end,
  ["diff.layout"] = one_of("vertical", "horizontal", "unified"),
  ["terminal.position"] = one_of("right", "left", "above", "below", "float", "tab"),
  ["terminal.size"] = function(value)
    return type(value) == "number" and value > 0, "a number above 0"
  end,
}

-- The same by the type of the default. Of texts only keys are left.
local by_type = {
  boolean = function(value)
    return type(value) == "boolean", "true or false"
  end,
  string = function(value)
    return value == false or type(value) == "string", "a key, or false"
  end,
  table = function(value)
    return type(value) == "table", "a table"
  end,
}

local function check(given, default, prefix)
  for name, value in pairs(given) do
    local path = prefix .. name
    local fits = checks[path] or by_type[type(default[name])]
    if not fits then
      error(("ide-companion: there is no option %s. See :help ide-companion-options"):format(path), 0)
    end
    local ok, wanted = fits(value)
    if not ok then
      error(("ide-companion: %s must be %s, got %s"):format(path, wanted, vim.inspect(value)), 0)
    elseif fits == by_type.table then
      check(value, default[name], path .. ".")
    end
  end
end

M.options = vim.deepcopy(defaults)

---Sets the options of the user. An error names the wrong option and its value.
---@param given table|nil
function M.set(given)
  given = given or {}
  check(given, defaults, "")
  local options = vim.tbl_deep_extend("force", vim.deepcopy(defaults), given)
  options.cmd = given.cmd or options.cmd -- lists are not to be merged
  M.options = options
end

return M
