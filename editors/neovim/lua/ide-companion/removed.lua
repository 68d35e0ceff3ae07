-- Lines that a change has removed, drawn between those of a buffer.
local M = {}

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-removed")
local group = api.nvim_create_augroup("ide-companion-removed", {})

---Removes all that is drawn in a buffer.
---@param buffer integer
function M.clear(buffer)
  api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  api.nvim_clear_autocmds({ group = group, buffer = buffer })
end

---Virtual lines above the first line are shown only when the window has filler lines.
---@param rows integer how many they are
local function leave_room(buffer, rows)
  local function leave()
    local view = vim.fn.winsaveview()
    if view.topline == 1 and view.topfill ~= rows then
      vim.fn.winrestview({ topline = 1, topfill = rows })
    end
  end
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    api.nvim_win_call(window, leave)
  end
  local events = { "WinScrolled", "CursorMoved", "BufWinEnter" }
  api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = leave })
end

---@param buffer integer
---@param line integer 1-based, before which they were
---@param lines string[]
function M.draw(buffer, line, lines)
  if #lines == 0 then
    return
  end
  local virtual = vim.tbl_map(function(text)
    text = text:gsub("\t", (" "):rep(vim.bo[buffer].tabstop)):gsub("%c", "?")
    -- Padded to the edge of every window, like the highlight of a line.
    local rest = math.max(0, vim.o.columns - vim.fn.strdisplaywidth(text))
    return { { text .. (" "):rep(rest), "DiffDelete" } }
  end, lines)
  local is_above = line <= api.nvim_buf_line_count(buffer)
  local row = is_above and line - 1 or line - 2
  api.nvim_buf_set_extmark(buffer, space, row, 0, { virt_lines = virtual, virt_lines_above = is_above })
  if row == 0 and is_above then
    leave_room(buffer, #lines)
  end
end

return M
