-- The context: open files, cursor and selection, sent to the server. This code runs with every movement of the cursor:
-- most movements only start a timer.
local M = {}

local selection = require("ide-companion.selection")

-- The shortest time between two messages while the cursor moves. The server waits for as long anyway.
local interval_ms = 50
-- The wait after the last movement. It is longer than the repeat of a held key, so a timer seldom fires.
local pause_ms = 40
-- No agent reads more.
local most_files = 30

---@type ide-companion.Rpc|nil
local server
local timer
local files_changed = true
-- The buffers of files, the latest one first, and what is sent of each.
local listed, files = {}, {}
-- When a buffer was last focused, in milliseconds since 1970.
local focused = {}
-- The file that has the focus, or had it before a terminal or a diff; and its cursor and selection.
local last_active, last_position = nil, {}
-- Where the cursor is of a selection that a command has ended which goes to an agent.
local kept
local last_sent
local sent_at = 0

local function now()
  local seconds, microseconds = vim.loop.gettimeofday()
  return seconds * 1000 + math.floor(microseconds / 1000)
end

---Whether a buffer is a file of the user: no help, no terminal, no buffer of another plugin.
local function is_file(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].buftype ~= "" or not vim.bo[buffer].buflisted then
    return false
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  return name ~= "" and not name:find("^%a[%w+.-]+://")
end

local function collect_files()
  local buffers = vim.tbl_filter(is_file, vim.api.nvim_list_bufs())
  local times = {}
  for _, buffer in ipairs(buffers) do
    -- Neovim knows the second in which older buffers were used last.
    times[buffer] = focused[buffer] or vim.fn.getbufinfo(buffer)[1].lastused * 1000
  end
  focused = times
  table.sort(buffers, function(one, other)
    return times[one] > times[other]
  end)
  listed, files = vim.list_slice(buffers, 1, most_files), {}
  for _, buffer in ipairs(listed) do
    files[buffer] = { path = vim.api.nvim_buf_get_name(buffer), focusedAt = focused[buffer] }
  end
end

---@return integer[] differs for each place and text of the current buffer
local function place()
  local cursor = vim.api.nvim_win_get_cursor(0)
  return { vim.api.nvim_get_current_buf(), vim.api.nvim_buf_get_changedtick(0), cursor[1], cursor[2] }
end

---A selection stays while its user types a command or goes to an agent in a terminal.
---@return boolean
local function stays()
  local current = vim.api.nvim_get_current_buf()
  return last_active == current and (vim.api.nvim_get_mode().mode:find("^c") ~= nil or vim.deep_equal(kept, place()))
end

---A command that goes to an agent has ended the selection.
function M.keep_selection()
  kept = place()
end

---Cursor and selection. They stay in use while the user is in a terminal or in a diff.
local function position()
  local text, start, behind = selection.selected(vim.api.nvim_get_mode().mode)
  if not text or text == "" then
    return { cursor = selection.cursor() }
  end
  return { cursor = selection.cursor(), selectedText = text, selection = { start = start, ["end"] = behind } }
end

---@return table parameters of `companion/context`
local function context()
  local current = vim.api.nvim_get_current_buf()
  if files[current] and not stays() then
    kept, last_active, last_position = nil, current, position()
  end
  local all = vim.tbl_map(function(buffer)
    return buffer == last_active and vim.tbl_extend("error", files[buffer], last_position) or files[buffer]
  end, listed)
  return { files = all, activePath = (files[last_active] or {}).path }
end

local function send()
  if not server then
    return
  end
  sent_at = vim.loop.now()
  if files_changed then
    files_changed = false
    collect_files()
  end
  local next_context = context()
  if not vim.deep_equal(next_context, last_sent) then
    last_sent = next_context
    server.notify("companion/context", next_context)
  end
end

local send_on_schedule = vim.schedule_wrap(send)

local function send_soon()
  timer:start(pause_ms, 0, send_on_schedule)
end

---Sends at once after a pause, so that a single movement has no delay. The end of a selection may be the beginning of
---the way to a terminal.
local function on_move(event)
  local may_stay = event.event == "ModeChanged" and last_position.selectedText
  if files_changed or may_stay or vim.loop.now() - sent_at < interval_ms then
    return send_soon()
  end
  timer:stop()
  send()
end

local function on_files()
  files_changed = true
  send_soon()
end

local function on_focus()
  local current = vim.api.nvim_get_current_buf()
  if is_file(current) then
    focused[current] = now()
  end
  on_files()
end

---@param rpc ide-companion.Rpc
function M.start(rpc)
  server, last_sent, files_changed = rpc, nil, true
  timer = timer or vim.loop.new_timer()
  local group = vim.api.nvim_create_augroup("ide-companion-context", {})
  local function on(events, callback, pattern)
    vim.api.nvim_create_autocmd(events, { group = group, callback = callback, pattern = pattern })
  end
  on({ "CursorMoved", "CursorMovedI", "ModeChanged" }, on_move)
  on({ "BufEnter", "WinEnter", "FocusGained" }, on_focus)
  on({ "BufAdd", "BufReadPost", "BufWritePost", "BufFilePost", "BufDelete", "BufUnload" }, on_files)
  on("BufWritePost", function(event)
    if is_file(event.buf) then
      rpc.notify("companion/saved", { path = event.match })
    end
  end)
  on("OptionSet", on_files, { "buflisted", "buftype" })
  on_focus()
end

function M.stop()
  server = nil
  pcall(vim.api.nvim_del_augroup_by_name, "ide-companion-context")
end

return M
