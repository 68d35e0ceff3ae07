-- Files and folders in the file trees that people use, by what each tree documents of its Lua functions.
local M = {}

local api = vim.api

---Calls a function for each of some lines of the current window, with the cursor there.
local function at_lines(first, last, action)
  local before = api.nvim_win_get_cursor(0)
  for line = first, last do
    api.nvim_win_set_cursor(0, { line, 0 })
    action()
  end
  api.nvim_win_set_cursor(0, before)
end

local function netrw(first, last)
  local marked = vim.fn["netrw#Expose"]("netrwmarkfilelist")
  if type(marked) == "table" and #marked > 0 then
    return marked
  end
  local found = {}
  at_lines(first, last, function()
    if vim.startswith(api.nvim_get_current_line(), '"') then
      return -- the banner
    end
    local word = vim.fn["netrw#Call"]("NetrwGetWord")
    local folder = vim.b.netrw_curdir
    if vim.w.netrw_liststyle == 3 then
      folder = vim.fn["netrw#Call"]("NetrwTreePath", vim.w.netrw_treetop):gsub("/$", "")
      if vim.endswith(word, "/") then
        folder, word = vim.fs.dirname(folder), vim.fs.basename(folder)
      end
    end
    found[#found + 1] = folder .. "/" .. word
  end)
  return found
end

local function oil(first, last)
  local found, folder = {}, require("oil").get_current_dir()
  for line = first, last do
    local entry = folder and require("oil").get_entry_on_line(0, line)
    if entry then
      found[#found + 1] = folder .. entry.name
    end
  end
  return found
end

local function nvim_tree(first, last)
  local tree, found = require("nvim-tree.api"), {}
  local marked = tree.marks.list()
  if #marked > 0 then
    return vim.tbl_map(function(node)
      return node.absolute_path
    end, marked)
  end
  at_lines(first, last, function()
    local node = tree.tree.get_node_under_cursor()
    if node and node.absolute_path then
      found[#found + 1] = node.absolute_path
    end
  end)
  return found
end

local function neo_tree(first, last)
  local state, found = require("neo-tree.sources.manager").get_state_for_window(), {}
  for line = first, last do
    local node = state and state.tree:get_node(line)
    if node and node.path then
      found[#found + 1] = node.path
    end
  end
  return found
end

local function mini_files(first, last)
  local found = {}
  for line = first, last do
    local entry = require("mini.files").get_fs_entry(0, line)
    if entry then
      found[#found + 1] = entry.path
    end
  end
  return found
end

local function snacks_explorer()
  local picker = require("snacks").picker.get({ source = "explorer" })[1]
  return vim.tbl_map(function(item)
    return require("snacks").picker.util.path(item)
  end, picker and picker:selected({ fallback = true }) or {})
end

-- By 'filetype'.
local trees = {
  netrw = netrw,
  oil = oil,
  NvimTree = nvim_tree,
  ["neo-tree"] = neo_tree,
  minifiles = mini_files,
  snacks_picker_list = snacks_explorer,
}

---What a file tree in the current window shows on some lines, or what the user has marked in it.
---@param first integer
---@param last integer
---@return string[]|nil absolute paths; nil in a window that is no file tree
function M.entries(first, last)
  local tree = trees[vim.bo.filetype]
  return tree and vim.tbl_map(function(path)
    return (path:gsub("(.)/$", "%1"))
  end, tree(first, last))
end

return M
