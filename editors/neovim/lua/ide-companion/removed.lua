-- Lines that a change has removed, drawn between those of a buffer.
local M = {}

local windows = require("ide-companion.windows")

local api = vim.api

---@param buffer integer
---@param space integer namespace
---@param line integer 1-based, before which they were
---@param lines string[]
---@return integer mark
function M.draw(buffer, space, line, lines)
  local virtual = vim.tbl_map(function(text)
    text = text:gsub("\t", (" "):rep(vim.bo[buffer].tabstop)):gsub("%c", "?")
    -- Padded to the edge of every window, like the highlight of a line.
    local rest = math.max(0, vim.o.columns - vim.fn.strdisplaywidth(text))
    return { { text .. (" "):rep(rest), "DiffDelete" } }
  end, lines)
  local is_above = line <= api.nvim_buf_line_count(buffer)
  local row = is_above and line - 1 or line - 2
  return api.nvim_buf_set_extmark(buffer, space, row, 0, { virt_lines = virtual, virt_lines_above = is_above })
end

---Virtual lines above the first line are shown only when the window has filler lines.
---@param window integer|nil
---@param rows integer how many they are
function M.leave_room(window, buffer, rows)
  if rows == 0 or not windows.shows(window, buffer) then
    return
  end
  api.nvim_win_call(window, function()
    local view = vim.fn.winsaveview()
    if view.topline == 1 and view.topfill ~= rows then
      vim.fn.winrestview({ topline = 1, topfill = rows })
    end
  end)
end

return M
