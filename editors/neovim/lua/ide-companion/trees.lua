-- Files and folders in the file trees that people use, by what each tree documents of its Lua functions.
local M = {}

local api = vim.api

---@return string|nil in netrw, the entry under the cursor; none on a line of the banner
local function netrw_entry()
  if vim.startswith(api.nvim_get_current_line(), '"') then
    return nil
  end
  local word = vim.fn["netrw#Call"]("NetrwGetWord")
  if vim.w.netrw_liststyle ~= 3 then
    return vim.b.netrw_curdir .. "/" .. word
  end
  local folder = vim.fn["netrw#Call"]("NetrwTreePath", vim.w.netrw_treetop):gsub("/$", "")
  return vim.endswith(word, "/") and folder or folder .. "/" .. word
end

-- By 'filetype': the path on a line, which has the cursor; and what the user has marked.
local trees = {
  netrw = {
    entry = netrw_entry,
    marked = function()
      local marked = vim.fn["netrw#Expose"]("netrwmarkfilelist")
      return type(marked) == "table" and marked or {}
    end,
  },
  oil = {
    entry = function(line)
      local folder, entry = require("oil").get_current_dir(), require("oil").get_entry_on_line(0, line)
      return folder and entry and folder .. entry.name
    end,
  },
  NvimTree = {
    entry = function()
      return (require("nvim-tree.api").tree.get_node_under_cursor() or {}).absolute_path
    end,
    marked = function()
      return vim.tbl_map(function(node)
        return node.absolute_path
      end, require("nvim-tree.api").marks.list())
    end,
  },
  ["neo-tree"] = {
    entry = function(line)
      local state = require("neo-tree.sources.manager").get_state_for_window()
      return state and (state.tree:get_node(line) or {}).path
    end,
  },
  minifiles = {
    entry = function(line)
      return (require("mini.files").get_fs_entry(0, line) or {}).path
    end,
  },
  snacks_picker_list = {
    entry = function() end,
    marked = function()
      local picker = require("snacks").picker.get({ source = "explorer" })[1]
      return vim.tbl_map(require("snacks").picker.util.path, picker and picker:selected({ fallback = true }) or {})
    end,
  },
}

---What a file tree in the current window shows on some lines, or what the user has marked in it.
---@param first integer
---@param last integer
---@return string[]|nil absolute paths; nil in a window that is no file tree
function M.entries(first, last)
  local tree = trees[vim.bo.filetype]
  if not tree then
    return nil
  end
  local found = tree.marked and tree.marked() or {}
  if #found == 0 then
    local before = api.nvim_win_get_cursor(0)
    for line = first, last do
      api.nvim_win_set_cursor(0, { line, 0 })
      found[#found + 1] = tree.entry(line)
    end
    api.nvim_win_set_cursor(0, before)
  end
  return vim.tbl_map(function(path)
    return (path:gsub("(.)/$", "%1"))
  end, found)
end

return M
