-- Optional capabilities for agents: opens files and reports diagnostics of language servers.
local M = {}

local api = vim.api
local selection = require("ide-companion.selection")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local severities = { "error", "warning", "info", "hint" }

---Reads a file into a buffer. A swap file raises no question: the file may be open in another Neovim.
local function load(path)
  local buffer = vim.fn.bufadd(path)
  local answer = api.nvim_create_autocmd("SwapExists", {
    callback = function()
      vim.v.swapchoice = "o"
    end,
  })
  local ok, failure = pcall(vim.fn.bufload, buffer)
  api.nvim_del_autocmd(answer)
  if not ok then
    error(failure, 0)
  end
  vim.bo[buffer].buflisted = true
  return buffer
end

---Whether a window may show another file: it is no terminal, list, diff or floating window.
local function is_free(window)
  local fixed = vim.fn.exists("+winfixbuf") == 1 and vim.wo[window].winfixbuf
  return api.nvim_win_get_config(window).relative == ""
    and vim.bo[api.nvim_win_get_buf(window)].buftype == ""
    and not vim.wo[window].diff
    and not vim.wo[window].previewwindow
    and not fixed
end

---The window for a buffer: one that shows it, the window in which the user reads, or any other of this tab. A user who
---types goes on where they are.
---@param moves boolean whether the cursor of the window is set
local function window_for(buffer, moves)
  local current = api.nvim_get_current_win()
  local is_typed_in = api.nvim_get_mode().mode ~= "n"
  local all = vim.tbl_filter(function(window)
    local stays = not moves and api.nvim_win_get_buf(window) == buffer
    return window ~= current or stays or not is_typed_in
  end, vim.list_extend({ current }, api.nvim_tabpage_list_wins(0)))
  for _, window in ipairs(all) do
    if api.nvim_win_get_buf(window) == buffer then
      return window
    end
  end
  for _, window in ipairs(all) do
    if is_free(window) then
      return window
    end
  end
end

local function split()
  local window
  windows.in_background(function()
    vim.cmd("aboveleft split")
    window = api.nvim_get_current_win()
  end)
  return window
end

---@param line integer 1-based
---@param character integer 1-based, in UTF-16 units
local function go_to(window, buffer, line, character)
  line = math.min(line, api.nvim_buf_line_count(buffer))
  local words = api.nvim_buf_get_lines(buffer, line - 1, line, true)[1]
  local column = 0
  for start, letter in words:gmatch("()([%z\1-\127\194-\244][\128-\191]*)") do
    column = start - 1
    if selection.utf16_length(words:sub(1, column + #letter)) >= character then
      break
    end
  end
  api.nvim_win_set_cursor(window, { line, column })
  api.nvim_win_call(window, function()
    vim.cmd("normal! zvzz")
  end)
end

---Shows a file; the user's window stays the current one.
---@param params { path: string, line: integer|nil, character: integer|nil }
function M.open(params)
  if not windows.are_calm() then
    error("the user is in the middle of something", 0)
  end
  local buffer = load(params.path)
  local window = window_for(buffer, params.line ~= nil) or split()
  if api.nvim_win_get_buf(window) ~= buffer then
    api.nvim_win_set_buf(window, buffer)
  end
  if params.line then
    go_to(window, buffer, params.line, params.character or 1)
  end
end

---Columns are bytes here; they are used as they are when the line is not loaded.
local function character_at(buffer, line, column)
  local words = api.nvim_buf_is_loaded(buffer) and api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  return (words and selection.utf16_length(words:sub(1, column)) or column) + 1
end

local function to_diagnostic(found)
  local last = found.end_lnum or found.lnum
  return {
    path = api.nvim_buf_get_name(found.bufnr),
    line = found.lnum + 1,
    character = character_at(found.bufnr, found.lnum, found.col or 0),
    endLine = last + 1,
    endCharacter = character_at(found.bufnr, last, found.end_col or found.col or 0),
    severity = severities[found.severity] or "error",
    message = found.message,
    source = found.source,
    code = found.code,
  }
end

---@param params { path: string|nil }
function M.diagnostics(params)
  local buffer = params.path and text.buffer_of(params.path)
  local found = buffer == -1 and {} or vim.diagnostic.get(buffer)
  local diagnostics = {}
  for _, one in ipairs(found) do
    if api.nvim_buf_get_name(one.bufnr) ~= "" then
      diagnostics[#diagnostics + 1] = to_diagnostic(one)
    end
  end
  return { diagnostics = diagnostics }
end

return M
