-- A proposal in one window: its lines can be edited, and the lines that it replaces are shown between them.
local M = {}

local draft = require("ide-companion.draft")
local removed = require("ide-companion.removed")

local api = vim.api
local space = api.nvim_create_namespace("ide-companion-unified")

---Where a proposal differs from its file, as the server sends it. Lines count from 1; where there are none, `line` and
---`from` are where they would begin.
---@class ide-companion.Hunk
---@field line integer
---@field added integer
---@field from integer the same in the original
---@field removed integer

local function removed_lines(proposal, hunk)
  return api.nvim_buf_get_lines(proposal.base, hunk.from - 1, hunk.from - 1 + hunk.removed, false)
end

---Draws the hunks in the buffer of the proposal.
function M.draw(proposal)
  local buffer = proposal.proposed
  api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  removed.clear(buffer)
  for _, hunk in ipairs(proposal.hunks) do
    for line = hunk.line, hunk.line + hunk.added - 1 do
      api.nvim_buf_set_extmark(buffer, space, line - 1, 0, { line_hl_group = "DiffAdd" })
    end
    removed.draw(buffer, hunk.line, removed_lines(proposal, hunk))
  end
end

---Reverts the hunk at the cursor.
local function revert(proposal)
  local buffer, cursor = proposal.proposed, api.nvim_win_get_cursor(0)[1]
  local count = api.nvim_buf_line_count(buffer)
  for _, hunk in ipairs(proposal.hunks) do
    local last = hunk.line + hunk.added - 1
    -- A removal belongs to the line before it and to the line after it.
    if cursor >= (hunk.added > 0 and hunk.line or hunk.line - 1) and cursor <= math.max(last, hunk.line) then
      if last >= count then
        vim.bo[buffer].endofline = vim.bo[proposal.base].endofline
      end
      if vim.fn.wordcount().bytes == 0 then
        last = 1 -- an empty buffer has one line that is not part of the text
      end
      api.nvim_buf_set_lines(buffer, hunk.line - 1, last, true, removed_lines(proposal, hunk))
      return
    end
  end
end

local function jump(proposal, forwards)
  local cursor = api.nvim_win_get_cursor(0)[1]
  local target
  for _, hunk in ipairs(proposal.hunks) do
    local line = math.min(hunk.line, api.nvim_buf_line_count(proposal.proposed))
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
    vim.keymap.set("n", key, function()
      draft.when_compared(proposal, function()
        if api.nvim_get_current_buf() == proposal.proposed then
          action(proposal, key == "]c")
        end
      end)
    end, { buffer = proposal.proposed, desc = description })
  end
  map("do", revert, "Revert this change")
  map("]c", jump, "Next change")
  map("[c", jump, "Previous change")
end

---Draws the hunks in the buffer of the proposal.
function M.attach(proposal)
  M.draw(proposal)
  set_keys(proposal)
end

return M
