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
---@field filePath string as the server names it
---@field revision string|nil that of the hunks which are drawn
---@field count integer how many these are

---@type table<integer, ide-companion.WrittenBuffer> by buffer
local shown = {}

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
  local count = api.nvim_buf_line_count(buffer)
  local last = hunk.line + math.min(math.max(hunk.added, 1), most_signs) - 1
  for line = math.min(hunk.line, count), math.min(last, count) do
    local sign = { sign_text = kind[1], sign_hl_group = kind[2], priority = priority }
    api.nvim_buf_set_extmark(buffer, space, line - 1, 0, sign)
  end
  removed.draw(buffer, math.min(hunk.line, count + 1), removed_by(hunk))
end

---Marks a buffer as its text is now.
local function place(buffer)
  local state = shown[buffer]
  if not (state and api.nvim_buf_is_loaded(buffer)) then
    return
  end
  local tick = api.nvim_buf_get_changedtick(buffer)
  local params = { filePath = state.filePath, content = text.get(buffer) }
  rpc.request("companion/placeHunks", params, function(result)
    if not result or shown[buffer] ~= state or tick ~= api.nvim_buf_get_changedtick(buffer) then
      return -- its next text is on its way
    end
    local is_listed = state.revision == result.revision and state.count == #result.hunks
    state.revision, state.count = result.revision, #result.hunks
    api.nvim_buf_clear_namespace(buffer, space, 0, -1)
    removed.clear(buffer)
    for _, hunk in ipairs(result.hunks) do
      draw(buffer, hunk)
    end
    if not is_listed then
      require("ide-companion.list").follow("written")
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
    shown[buffer] = { filePath = params.filePath, count = 0 }
    follow(buffer)
  end
  -- Until then it has not read what is marked.
  windows.when(function()
    return buffer ~= api.nvim_get_current_buf() or api.nvim_get_mode().mode == "n"
  end, function()
    place(buffer)
  end)
end

---Goes to the next hunk, or to the one before, also in another file.
---@param by 1|-1
---@param from integer|nil line, by default that of the cursor
function M.go(by, from)
  local buffer = api.nvim_get_current_buf()
  local state = shown[buffer]
  local params = {
    filePath = state and state.filePath or api.nvim_buf_get_name(buffer),
    content = state and text.get(buffer),
    line = from or api.nvim_win_get_cursor(0)[1],
    by = by,
  }
  rpc.ask("companion/nextWritten", params, function(result)
    if result.filePath == vim.NIL then
      return say.info("Nothing else that an agent wrote waits for you.")
    elseif result.filePath ~= params.filePath then
      vim.cmd("hide edit " .. vim.fn.fnameescape(vim.fn.fnamemodify(result.filePath, ":.")))
      M.hunks(result)
    elseif buffer ~= api.nvim_get_current_buf() then
      return
    end
    if result.lines then
      vim.cmd("normal! m'")
      api.nvim_win_set_cursor(0, { math.min(result.lines.first, api.nvim_buf_line_count(0)), 0 })
      vim.cmd("normal! zv" .. (result.lines.last > vim.fn.line("w$") and "zz" or ""))
    end
  end)
end

---Decides about the hunks in some lines, and goes on. Where there are none it only does that.
---@param action "keep"|"revert"
---@param first integer|nil 1-based; by default the line of the cursor
---@param last integer|nil
function M.decide(action, first, last)
  local buffer = api.nvim_get_current_buf()
  local state = shown[buffer]
  if not (state and state.revision) then
    return M.go(1)
  end
  first = first or api.nvim_win_get_cursor(0)[1]
  local params = { filePath = state.filePath, revision = state.revision, content = text.get(buffer), action = action }
  params.lines = { first = first, last = last or first }
  rpc.ask("companion/decideHunks", params, function(result)
    if result.content and text.get(buffer) ~= params.content then
      return say.warn("The buffer has changed meanwhile: try again")
    elseif result.content then
      text.change(buffer, result.content, result.edits)
    end
    if buffer == api.nvim_get_current_buf() then
      M.go(1, result.line)
    end
  end)
end

return M
