-- Neovim's lists of what waits, in the quickfix list: proposals, or what agents wrote without asking.
local M = {}

local draft = require("ide-companion.draft")
local proposals = require("ide-companion.proposal")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local view = require("ide-companion.view")

local api = vim.api

-- The latest quickfix list of each list of the server: its number, and its items with their names.
local latest = {}
local largest_window = 10

---What rows of the server are in the quickfix list, hunk by hunk. Where nothing can be shown in a file, as after its
---deletion, is a line without a place. The name of an item stays the same.
---@param list "waiting"|"written"
local function to_items(list, rows)
  local items = {}
  for _, row in ipairs(rows) do
    local proposal = proposals.find(row.id)
    local place = proposal and { bufnr = proposal.proposed } or { filename = row.filePath }
    local whole = { { id = "", line = 0, text = ("%s: %s"):format(row.agent, row.text) } }
    -- A proposal that is not known here is on its way, or gone.
    local hunks = (proposal or list == "written") and (row.hunks or whole) or {}
    for _, hunk in ipairs(hunks) do
      local item = { name = row.id .. hunk.id, module = row.label, lnum = hunk.line, text = hunk.text }
      items[#items + 1] = vim.tbl_extend("error", item, place)
    end
  end
  return items
end

---@param list "waiting"|"written"
---@param on_items fun(items: table[], title: string, none: string) gets what the server says
local function load(list, on_items)
  draft.flush_all()
  rpc.request("companion/list", { list = list }, function(answer, failure)
    answer = answer or { title = "Proposals", rows = {}, none = failure.message }
    on_items(to_items(list, answer.rows), answer.title, answer.none)
  end)
end

---A list follows: something has come, or is gone. The cursor stays on its item.
---@param list string of the server
function M.follow(list)
  local known = latest[list]
  if not known or vim.fn.getqflist({ id = known.id }).id ~= known.id then
    return
  end
  load(list, function(items)
    local now = vim.fn.getqflist({ id = known.id, idx = 0, winid = true })
    local at = now.winid > 0 and api.nvim_win_get_cursor(now.winid)[1] or now.idx
    local here, idx = (known.items[at] or {}).name, math.min(at, #items)
    for index, item in ipairs(items) do
      idx = item.name == here and index or idx
    end
    known.items = items
    vim.fn.setqflist({}, "r", { id = known.id, items = items, idx = idx })
  end)
end

---The user presses Enter in a quickfix window, which may show another list by now. A proposal is decided in its own
---tab, so it is not shown in this one.
local function enter()
  local item = vim.fn.getqflist()[api.nvim_win_get_cursor(0)[1]] or {}
  for _, proposal in ipairs(proposals.waiting) do
    if proposal.proposed == item.bufnr then
      view.enter(proposal)
      return vim.fn.cursor(item.lnum, 1)
    end
  end
  vim.cmd(".cc")
end

---Makes a list of the server the quickfix list, unless it is empty.
local function put(list, on_put)
  load(list, function(items, title, none)
    if #items == 0 then
      return say.info(none)
    end
    vim.fn.setqflist({}, " ", { title = title, items = items })
    latest[list] = { id = vim.fn.getqflist({ id = 0 }).id, items = items }
    on_put(items, title)
  end)
end

---Shows proposals, or the hunks that agents wrote without asking, in the quickfix list.
---@param list "waiting"|"written"
function M.show(list)
  put(list, function(items)
    vim.cmd(("botright copen %d"):format(math.min(#items, largest_window)))
    vim.keymap.set("n", "<CR>", enter, { buffer = true, desc = "Go to the proposal" })
  end)
end

---The same hunks in the picker that the user has.
function M.pick_written()
  put("written", function(items, title)
    local function to_line(item)
      return ("%s:%d  %s"):format(item.module, item.lnum, item.text)
    end
    vim.ui.select(items, { prompt = title, format_item = to_line }, function(_, index)
      if index then
        vim.cmd("hide cc " .. index)
      end
    end)
  end)
end

return M
