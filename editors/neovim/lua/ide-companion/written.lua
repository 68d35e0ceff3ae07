-- What agents wrote without asking: marks in the user's own buffers, and what the user decides about them there. The
-- server says which lines they are, also where a buffer has unsaved edits.
local M = {}

local removed = require("ide-companion.removed")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-written")
local group = api.nvim_create_augroup("ide-companion-written", {})

-- Above those of diagnostics, gitsigns and mini.diff, which has 199: they are there again once the user has decided.
local priority = 200
-- More would fill the screen, or take long.
local most_removed, most_signs = 12, 2000

---@class ide-companion.WrittenBuffer
---@field file table what the server sent last of its file
---@field revision string
---@field hunks table[] as they are drawn, in lines of the text that the buffer had with `tick`
---@field tick integer|nil

---@type table<integer, ide-companion.WrittenBuffer> by buffer
local shown = {}

---@return integer first line
---@return integer last
local function lines_of(buffer, hunk)
  local count = api.nvim_buf_line_count(buffer)
  return math.min(hunk.line, count), math.min(hunk.line + math.max(hunk.added, 1) - 1, count)
end

---@return string[] what is seen of the lines that a hunk has removed
local function removed_by(hunk)
  local lines = vim.list_slice(hunk.removed, 1, most_removed)
  if #hunk.removed > most_removed then
    lines[#lines + 1] = ("… and %d more lines"):format(#hunk.removed - most_removed)
  end
  return lines
end

local function draw(buffer, hunk)
  local kind = hunk.added == 0 and { "-", "DiffDelete" } or { "~", "DiffChange" }
  if #hunk.removed == 0 then
    kind = { "+", "DiffAdd" }
  end
  local first, last = lines_of(buffer, hunk)
  for line = first, math.min(last, first + most_signs) do
    local sign = { sign_text = kind[1], sign_hl_group = kind[2], priority = priority }
    api.nvim_buf_set_extmark(buffer, space, line - 1, 0, sign)
  end
  if #hunk.removed > 0 then
    removed.draw(buffer, space, math.min(hunk.line, api.nvim_buf_line_count(buffer) + 1), removed_by(hunk))
  end
end

local function leave_room()
  local buffer = api.nvim_get_current_buf()
  local first = shown[buffer] and shown[buffer].hunks[1]
  if first and first.line == 1 then
    removed.leave_room(api.nvim_get_current_win(), buffer, #removed_by(first))
  end
end

---Marks a buffer as its text is now.
---@param on_placed fun()|nil
local function place(buffer, on_placed)
  local state = shown[buffer]
  if not (state and api.nvim_buf_is_loaded(buffer)) then
    return
  end
  local tick = api.nvim_buf_get_changedtick(buffer)
  local function show(result)
    if shown[buffer] ~= state or tick ~= api.nvim_buf_get_changedtick(buffer) then
      return -- its next text is on its way
    end
    local is_listed = result ~= state.file and #result.hunks == #state.hunks
    state.revision, state.hunks, state.tick = result.revision, result.hunks, tick
    api.nvim_buf_clear_namespace(buffer, space, 0, -1)
    for _, hunk in ipairs(state.hunks) do
      draw(buffer, hunk)
    end
    leave_room()
    if not is_listed then
      require("ide-companion.list").follow("written")
    end
    if on_placed then
      on_placed()
    end
  end
  if not vim.bo[buffer].modified then
    return show(state.file)
  end
  local params = { filePath = state.file.filePath, content = text.get(buffer) }
  rpc.request("companion/placeHunks", params, function(result, failure)
    if not failure then
      show(result)
    end
  end)
end

---Acts on the hunks of the current buffer as its text is now.
---@param act fun(buffer: integer, state: ide-companion.WrittenBuffer|nil)
local function when_placed(act)
  local buffer = api.nvim_get_current_buf()
  local state = shown[buffer]
  if not state or state.tick == api.nvim_buf_get_changedtick(buffer) then
    return act(buffer, state)
  end
  place(buffer, function()
    if buffer == api.nvim_get_current_buf() then
      act(buffer, state)
    end
  end)
end

local function follow(buffer)
  api.nvim_clear_autocmds({ group = group, buffer = buffer })
  local function on(events, callback)
    api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = callback })
  end
  local read_or_typed = { "BufReadPost", "FileChangedShellPost", "TextChanged", "InsertLeave", "BufWritePost" }
  on(read_or_typed, vim.schedule_wrap(function()
    place(buffer)
  end))
  on({ "WinScrolled", "CursorMoved", "BufWinEnter" }, leave_room)
  -- Not when it is unloaded: `:e!` does that too.
  on({ "BufDelete", "BufWipeout" }, function()
    shown[buffer] = nil
    api.nvim_clear_autocmds({ group = group, buffer = buffer })
  end)
end

---`companion/writtenHunks`
function M.hunks(params)
  local buffer = text.buffer_of(params.filePath)
  if buffer < 0 then
    return
  end
  if not shown[buffer] then
    shown[buffer] = { hunks = {} }
    follow(buffer)
  end
  shown[buffer].file = params
  -- Until then it has not read what is marked.
  windows.when(function()
    return buffer ~= api.nvim_get_current_buf() or api.nvim_get_mode().mode == "n"
  end, function()
    place(buffer)
  end)
end

---@param path string
---@param hunk table as the server lists it
---@return integer|nil its line in what the user edits; nil where that has another text there
function M.line_of(path, hunk)
  local buffer = text.buffer_of(path)
  local state = shown[buffer]
  if not (state and state.tick and vim.bo[buffer].modified) then
    return hunk.line
  end
  for _, placed in ipairs(state.hunks) do
    if placed.id == hunk.id then
      return (lines_of(buffer, placed))
    end
  end
end

---Goes to another file with something to look at.
local function go_on(by)
  local decided = {}
  for _, state in pairs(shown) do
    -- In these the user has reverted all hunks, and perhaps not saved that.
    if state.tick and #state.hunks == 0 then
      decided[#decided + 1] = state.file.filePath
    end
  end
  local params = { filePath = api.nvim_buf_get_name(0), by = by, decided = decided }
  rpc.ask("companion/nextWritten", params, function(result)
    if result.filePath == vim.NIL then
      return say.info("Nothing else that an agent wrote waits for you.")
    end
    vim.cmd("hide edit " .. vim.fn.fnameescape(vim.fn.fnamemodify(result.filePath, ":.")))
    if #result.hunks > 0 then
      M.hunks(result)
      M.go(by, by > 0 and 0 or math.huge)
    end
  end)
end

---Goes to the next hunk, or to the one before, also in another file.
---@param by 1|-1
---@param from integer|nil line, by default that of the cursor
function M.go(by, from)
  when_placed(function(buffer, state)
    local line = from or api.nvim_win_get_cursor(0)[1]
    local target, last
    for _, hunk in ipairs(state and state.hunks or {}) do
      local first, to = lines_of(buffer, hunk)
      if by > 0 and first > line and not target or by < 0 and first < line then
        target, last = first, to
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
  end)
end

---Decides about the hunks in some lines, and goes on. Where there are none it only does that.
---@param action "keep"|"revert"
---@param first integer|nil 1-based; by default the line of the cursor
---@param last integer|nil
function M.decide(action, first, last)
  first = first or api.nvim_win_get_cursor(0)[1]
  when_placed(function(buffer, state)
    local ids, start = {}, first
    for _, hunk in ipairs(state and state.hunks or {}) do
      local from, to = lines_of(buffer, hunk)
      if from <= (last or first) and to >= first then
        ids[#ids + 1], start = hunk.id, math.min(start, from)
      end
    end
    if not state or #ids == 0 then
      return M.go(1)
    end
    local params = { filePath = state.file.filePath, revision = state.revision, ids = ids, action = action }
    params.content = action == "revert" and text.get(buffer) or nil
    rpc.ask("companion/decideHunks", params, function(result)
      if params.content and text.get(buffer) ~= params.content then
        return say.warn("The buffer has changed meanwhile: try again")
      elseif result.content then
        text.change(buffer, result.content, result.edits)
      end
      if buffer == api.nvim_get_current_buf() then
        M.go(1, start - 1)
      end
    end)
  end)
end

return M
