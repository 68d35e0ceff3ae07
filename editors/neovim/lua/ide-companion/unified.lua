-- A proposal in one window: its lines can be edited, and the lines that it replaces are shown between them.
local M = {}

local texts = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-unified")

-- Comparing a large file with every key would delay typing.
local draw_after_ms = 30

---@class ide-companion.Hunk
---@field removed string[] lines of the original
---@field first integer the first changed line of the proposal, or the line after the removed ones
---@field count integer lines of the proposal; 0 when lines are only removed

---@return ide-companion.Hunk[]
local function hunks(proposal)
  return vim.tbl_map(function(indices)
    local base_start, base_count, start, count = unpack(indices)
    return {
      removed = base_count > 0
          and api.nvim_buf_get_lines(proposal.base, base_start - 1, base_start - 1 + base_count, false)
        or {},
      -- For a removal, `start` is the line before it.
      first = count > 0 and start or start + 1,
      count = count,
    }
  end, texts.compare(proposal.base, proposal.proposed))
end

---Lines of the original between those of the proposal.
local function draw_removed(proposal, hunk)
  local virtual = vim.tbl_map(function(line)
    local tab = (" "):rep(vim.bo[proposal.proposed].tabstop)
    local text = line:gsub("\t", tab):gsub("%c", "?")
    -- Padded to the edge of every window, like the highlight of a line.
    local rest = math.max(0, vim.o.columns - vim.fn.strdisplaywidth(text))
    return { { text .. (" "):rep(rest), "DiffDelete" } }
  end, hunk.removed)
  local is_above = hunk.first <= api.nvim_buf_line_count(proposal.proposed)
  local row = is_above and hunk.first - 1 or hunk.first - 2
  local mark = { virt_lines = virtual, virt_lines_above = is_above }
  api.nvim_buf_set_extmark(proposal.proposed, space, row, 0, mark)
end

---Draws the hunks in the buffer of the proposal.
function M.draw(proposal)
  local buffer = proposal.proposed
  api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  local all = hunks(proposal)
  for _, hunk in ipairs(all) do
    for line = hunk.first, hunk.first + hunk.count - 1 do
      api.nvim_buf_set_extmark(buffer, space, line - 1, 0, { line_hl_group = "DiffAdd" })
    end
    if #hunk.removed > 0 then
      draw_removed(proposal, hunk)
    end
  end
  local first = all[1]
  proposal.view.room = first and first.first == 1 and #first.removed or 0
end

---Virtual lines above the first line are shown only when the window has filler lines.
local function leave_room_above(proposal)
  local shown = proposal.view
  if not shown or shown.room == 0 or not windows.shows(shown.proposed, proposal.proposed) then
    return
  end
  api.nvim_win_call(shown.proposed, function()
    local view = vim.fn.winsaveview()
    if view.topline == 1 and view.topfill ~= shown.room then
      vim.fn.winrestview({ topline = 1, topfill = shown.room })
    end
  end)
end

local function draw_soon(proposal)
  if proposal.view.drawing then
    return
  end
  proposal.view.drawing = true
  vim.defer_fn(function()
    if proposal.view and api.nvim_buf_is_loaded(proposal.proposed) then
      proposal.view.drawing = false
      M.draw(proposal)
      leave_room_above(proposal)
    end
  end, draw_after_ms)
end

---Reverts the hunk at the cursor.
local function revert(proposal)
  local cursor = api.nvim_win_get_cursor(0)[1]
  for _, hunk in ipairs(hunks(proposal)) do
    local last = hunk.first + hunk.count - 1
    if vim.deep_equal(api.nvim_buf_get_lines(proposal.proposed, 0, 2, false), { "" }) then
      last = 1 -- an empty buffer has one line that is not part of the text
    end
    -- A removal belongs to the line before it and to the line after it.
    if cursor >= (hunk.count > 0 and hunk.first or hunk.first - 1) and cursor <= math.max(last, hunk.first) then
      api.nvim_buf_set_lines(proposal.proposed, hunk.first - 1, last, true, hunk.removed)
      return M.draw(proposal)
    end
  end
end

local function jump(proposal, forwards)
  local cursor = api.nvim_win_get_cursor(0)[1]
  local target
  for _, hunk in ipairs(hunks(proposal)) do
    local line = math.min(hunk.first, api.nvim_buf_line_count(proposal.proposed))
    if forwards and line > cursor then
      target = target or line
    elseif not forwards and line < cursor then
      target = line
    end
  end
  if target then
    api.nvim_win_set_cursor(0, { target, 0 })
  end
end

local function set_keys(proposal)
  local function map(key, action, description)
    vim.keymap.set("n", key, action, { buffer = proposal.proposed, desc = description })
  end
  map("do", function()
    revert(proposal)
  end, "Revert this change")
  map("]c", function()
    jump(proposal, true)
  end, "Next change")
  map("[c", function()
    jump(proposal, false)
  end, "Previous change")
end

---Draws the hunks in the buffer of the proposal, and again after each edit.
function M.attach(proposal)
  M.draw(proposal)
  leave_room_above(proposal)
  set_keys(proposal)
  local group = api.nvim_create_augroup("ide-companion-unified-" .. proposal.proposed, {})
  api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, {
    group = group,
    buffer = proposal.proposed,
    callback = function()
      draw_soon(proposal)
    end,
  })
  api.nvim_create_autocmd({ "WinScrolled", "CursorMoved", "BufWinEnter" }, {
    group = group,
    buffer = proposal.proposed,
    callback = function()
      leave_room_above(proposal)
    end,
  })
end

return M
