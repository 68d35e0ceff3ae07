-- The folders in which agents find this editor.
local M = {}

local config = require("ide-companion.config")

local marks = { ".git", ".hg", ".jj", ".svn" }

---The repository of a folder, or the folder when there is none.
local function project_of(folder)
  local found = vim.fs.find(marks, { path = folder, upward = true, stop = vim.loop.os_homedir() })[1]
  return found and vim.fs.dirname(found) or folder
end

---@return string[] absolute paths
function M.current()
  if config.options.root then
    return config.options.root()
  end
  return { project_of(vim.fn.getcwd(-1, -1)) }
end

---@param folders string[]
function M.to_lsp(folders)
  return vim.tbl_map(function(folder)
    return { uri = vim.uri_from_fname(folder), name = vim.fs.basename(folder) }
  end, folders)
end

return M
