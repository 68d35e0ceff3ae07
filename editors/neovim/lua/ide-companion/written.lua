-- What agents wrote without asking: marks in the user's own buffers, and what the user decides about them there. The
-- server says which lines they are.
local M = {}

local removed = require("ide-companion.removed")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-written")
local group = api.nvim_create_augroup("ide-companion-written", {})

-- Above those of gitsigns, mini.diff's default aside, and of diagnostics.
local priority = 20
-- More would fill the screen, or take long.
local most_removed, most_signs = 12, 2000

---A hunk in a buffer.
---@class ide-companion.WrittenMark
---@field hunk table as the server sends it
---@field anchor integer extmark around its lines
---@field drawn integer[] extmarks that are seen
---@field rows integer|nil how many removed lines are seen
---@field is_gone boolean|nil the user has decided about it
---@field gone_at integer|nil the first state of the undo history that is without it

---@type table<integer, { path: string, revision: string, marks: ide-companion.WrittenMark[] }> by buffer
local shown = {}
-- What the server sent last, by path.
local latest = {}
-- The buffer to which the user has gone, which way, and when, until its hunks have come.
local awaited
-- So long a key that is meant for them does nothing.
local patience_ms = 2000

local function place_of(buffer, mark)
  local row, _, details = unpack(api.nvim_buf_get_extmark_by_id(buffer, space, mark.anchor, { details = true }))
  local count = api.nvim_buf_line_count(buffer)
  return math.min(row + 1, count), math.max(math.min(details.end_row, count), math.min(row + 1, count))
end

local function draw(buffer, mark)
  local row, _, details = unpack(api.nvim_buf_get_extmark_by_id(buffer, space, mark.anchor, { details = true }))
  local hunk = mark.hunk
  local kind = #hunk.removed == 0 and { "+", "DiffAdd" } or { "~", "DiffChange" }
  local last = details.end_row - 1
  if last < row then
    kind, last = { "-", "DiffDelete" }, row
  end
  local count = api.nvim_buf_line_count(buffer)
  for line = math.min(row, count - 1), math.min(last, count - 1, row + most_signs) do
    local sign = { sign_text = kind[1], sign_hl_group = kind[2], priority = priority }
    mark.drawn[#mark.drawn + 1] = api.nvim_buf_set_extmark(buffer, space, line, 0, sign)
  end
  if #hunk.removed > 0 then
    local lines = vim.list_slice(hunk.removed, 1, most_removed)
    if #hunk.removed > most_removed then
      lines[#lines + 1] = ("… and %d more lines"):format(#hunk.removed - most_removed)
    end
    mark.rows = #lines
    mark.drawn[#mark.drawn + 1] = removed.draw(buffer, space, row + 1, lines)
  end
end

local function hide(buffer, mark)
  for _, id in ipairs(mark.drawn) do
    api.nvim_buf_del_extmark(buffer, space, id)
  end
  mark.drawn = {}
end

---A new mark for a hunk of the file as it is on disk.
local function add(buffer, hunk)
  local row = math.min(hunk.line - 1, api.nvim_buf_line_count(buffer))
  local last = math.min(row + hunk.added, api.nvim_buf_line_count(buffer))
  local anchor = api.nvim_buf_set_extmark(buffer, space, row, 0, { end_row = last, end_right_gravity = false })
  return { hunk = hunk, anchor = anchor, drawn = {} }
end

local function leave_room()
  local state = shown[api.nvim_get_current_buf()]
  local first = state and state.marks[1]
  if first and #first.drawn > 0 and first.rows and place_of(0, first) == 1 then
    removed.leave_room(api.nvim_get_current_win(), api.nvim_get_current_buf(), first.rows)
  end
end

---The user has undone a revert.
local function on_change(event)
  local state, now = shown[event.buf], vim.fn.undotree().seq_cur
  for _, mark in ipairs(state and state.marks or {}) do
    if mark.gone_at and now < mark.gone_at then
      mark.is_gone, mark.gone_at = false, nil
      draw(event.buf, mark)
    end
  end
end

local function follow(buffer)
  api.nvim_clear_autocmds({ group = group, buffer = buffer })
  local function on(events, callback)
    api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = callback })
  end
  on({ "BufReadPost", "FileChangedShellPost" }, vim.schedule_wrap(function()
    M.place(buffer)
  end))
  on("TextChanged", on_change)
  on({ "WinScrolled", "CursorMoved", "BufWinEnter" }, leave_room)
  on("BufUnload", function()
    shown[buffer] = nil
    api.nvim_clear_autocmds({ group = group, buffer = buffer })
  end)
end

---The user has gone to a buffer, and its hunks have come.
local function arrive(buffer)
  if awaited and awaited.buffer == buffer and shown[buffer] and buffer == api.nvim_get_current_buf() then
    local by = awaited.by
    awaited = nil
    M.go(by, by > 0 and 0 or math.huge)
  end
end

---Marks a buffer as the server has said last. In one with unsaved changes marks stay where they are in the text.
function M.place(buffer)
  local params = api.nvim_buf_is_loaded(buffer) and latest[api.nvim_buf_get_name(buffer)]
  if not params then
    return
  end
  local former, modified = {}, vim.bo[buffer].modified
  for _, mark in ipairs(shown[buffer] and shown[buffer].marks or {}) do
    former[mark.hunk.id] = mark
  end
  if not modified then
    api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  end
  local marks = {}
  for _, hunk in ipairs(params.hunks) do
    local mark = former[hunk.id]
    if not modified then
      mark = add(buffer, hunk)
      draw(buffer, mark)
    end
    former[hunk.id] = nil
    marks[#marks + 1] = mark
  end
  for _, mark in pairs(modified and former or {}) do
    hide(buffer, mark)
  end
  shown[buffer] = { path = params.filePath, revision = params.revision, marks = marks }
  follow(buffer)
  leave_room()
  arrive(buffer)
end

---`companion/writtenHunks`
function M.hunks(params)
  local buffer = text.buffer_of(params.filePath)
  if buffer < 0 then
    return
  end
  latest[api.nvim_buf_get_name(buffer)] = params
  -- Until then it has not read what is marked.
  windows.when(function()
    return buffer ~= api.nvim_get_current_buf() or api.nvim_get_mode().mode == "n"
  end, function()
    M.place(buffer)
  end)
end

---Whether the user has decided about all of a buffer, and perhaps not saved that.
local function is_done(buffer)
  local marks = shown[buffer] and shown[buffer].marks or {}
  return #marks > 0 and #vim.tbl_filter(function(mark)
    return not mark.is_gone
  end, marks) == 0
end

---Goes to another file with something to look at: files in the order of their names, and in a circle.
local function go_on(by)
  rpc.request("companion/list", { list = "written" }, function(result, failure)
    if failure then
      return say.error(failure.message)
    end
    local here, paths = vim.fn.resolve(api.nvim_buf_get_name(0)), {}
    for _, row in ipairs(result.rows) do
      local path = row.filePath
      if path ~= here and vim.fn.filereadable(path) == 1 and not is_done(text.buffer_of(path)) then
        paths[#paths + 1] = path
      end
    end
    table.sort(paths, function(one, other)
      if (one > here) ~= (other > here) then
        return (one > here) == (by > 0)
      end
      return one ~= other and (one < other) == (by > 0)
    end)
    if #paths == 0 then
      return say.info("Nothing else that an agent wrote waits for you.")
    end
    vim.cmd("hide edit " .. vim.fn.fnameescape(vim.fn.fnamemodify(paths[1], ":.")))
    awaited = { buffer = api.nvim_get_current_buf(), by = by, since = vim.loop.now() }
    arrive(awaited.buffer)
  end)
end

---Goes to the next hunk, or to the one before, also in another file.
---@param by 1|-1
---@param from integer|nil line, by default that of the cursor
function M.go(by, from)
  local state, buffer = shown[api.nvim_get_current_buf()], api.nvim_get_current_buf()
  if awaited and awaited.buffer == buffer and vim.loop.now() - awaited.since < patience_ms then
    return
  end
  from = from or api.nvim_win_get_cursor(0)[1]
  local target, last
  for _, mark in ipairs(state and state.marks or {}) do
    local line, to = place_of(buffer, mark)
    if not mark.is_gone and ((by > 0 and line > from and not target) or (by < 0 and line < from)) then
      target, last = line, to
    end
  end
  if not target then
    return go_on(by)
  end
  vim.cmd("normal! m'")
  api.nvim_win_set_cursor(0, { target, 0 })
  vim.cmd("normal! zv")
  if last > vim.fn.line("w$") then
    vim.cmd("normal! zz")
  end
end

---The buffer is as the server has answered, or the user hears why not.
---@param content string|nil that the server has seen
local function take(buffer, content, marks, result)
  if content and text.get(buffer) ~= content then
    say.warn("The buffer has changed meanwhile: try again")
    return false
  end
  for _, mark in ipairs(marks) do
    hide(buffer, mark)
    mark.is_gone = true
  end
  if not result.content then
    return true
  end
  text.change(buffer, result.content, result.edits)
  local state = api.nvim_buf_call(buffer, vim.fn.undotree).seq_cur
  for _, mark in ipairs(marks) do
    mark.gone_at = state
  end
  return true
end

---Decides about the hunks in some lines, and goes on. Where there are none it only does that.
---@param action "keep"|"revert"
---@param first integer|nil 1-based; by default the line of the cursor
---@param last integer|nil
function M.decide(action, first, last)
  local buffer = api.nvim_get_current_buf()
  local state = shown[buffer]
  first = first or api.nvim_win_get_cursor(0)[1]
  local marks, ids, start = {}, {}, first
  for _, mark in ipairs(state and state.marks or {}) do
    local from, to = place_of(buffer, mark)
    if not mark.is_gone and from <= (last or first) and to >= first then
      marks[#marks + 1], ids[#ids + 1] = mark, mark.hunk.id
      start = math.min(start, from)
    end
  end
  if #marks == 0 then
    return M.go(1)
  end
  local params = { filePath = state.path, revision = state.revision, ids = ids, action = action }
  params.content = action == "revert" and text.get(buffer) or nil
  rpc.request("companion/decideHunks", params, function(result, failure)
    if failure then
      return say.error(failure.message)
    elseif take(buffer, params.content, marks, result) and buffer == api.nvim_get_current_buf() then
      M.go(1, start - 1)
    end
  end)
end

return M
