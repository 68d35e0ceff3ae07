-- Neovim's lists of what waits: the proposals in the quickfix list, the changes of one in its location list.
local M = {}

local draft = require("ide-companion.draft")
local proposals = require("ide-companion.proposal")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local view = require("ide-companion.view")

local api = vim.api

local title = "Proposals"
-- The number of the latest quickfix list of proposals.
local list_id
local largest_window = 10

---@return integer the line of a hunk; of lines that went, the line where they were
local function line_of(proposal, line)
  return math.max(1, math.min(line, api.nvim_buf_line_count(proposal.proposed)))
end

---@param on_items fun(items: table[]) gets what the server says of the proposals, and those that it knows no more
local function load(on_items)
  draft.flush_all()
  rpc.request("companion/list", { list = "waiting" }, function(answer)
    local items = {}
    local function add(proposal, text)
      local first = proposal.hunks[1] or { line = 1 }
      local lnum = line_of(proposal, first.line)
      items[#items + 1] = { bufnr = proposal.proposed, module = proposal.label, lnum = lnum, text = text }
    end
    for _, row in ipairs(answer and answer.rows or {}) do
      local proposal = proposals.find(row.id)
      if proposal then
        add(proposal, ("%s: %s"):format(row.agent, row.text))
      end
    end
    for _, proposal in ipairs(proposals.waiting) do
      if proposal.ended then
        add(proposal, proposal.ended)
      end
    end
    on_items(items)
  end)
end

---Opens the window of a list, as high as it needs. @param command "copen"|"lopen"
local function open_window(command, count)
  vim.cmd(("botright %s %d"):format(command, math.max(1, math.min(count, largest_window))))
end

---The list follows: something has come, or is gone. The cursor stays on its proposal.
function M.follow()
  local id = list_id
  if not id or vim.fn.getqflist({ id = id }).id ~= id then
    return
  end
  load(function(items)
    local list = vim.fn.getqflist({ id = id, idx = 0, items = true, winid = true })
    local at = list.winid > 0 and api.nvim_win_get_cursor(list.winid)[1] or list.idx
    local here, idx = (list.items[at] or {}).bufnr, math.min(at, #items)
    for index, item in ipairs(items) do
      idx = item.bufnr == here and index or idx
    end
    vim.fn.setqflist({}, "r", { id = id, items = items, idx = idx })
  end)
end

---The user presses Enter in a quickfix window, which may show another list by now. A proposal is decided in its own
---tab, so it is not shown in this one.
local function enter()
  local list = vim.fn.getqflist({ title = true, items = true })
  local item = list.items[api.nvim_win_get_cursor(0)[1]]
  if list.title ~= title or not item then
    return vim.cmd(".cc")
  end
  for _, proposal in ipairs(proposals.waiting) do
    if proposal.proposed == item.bufnr then
      view.enter(proposal)
      return api.nvim_win_set_cursor(0, { line_of(proposal, item.lnum), 0 })
    end
  end
end

---Puts all proposals into the quickfix list.
function M.show()
  load(function(items)
    vim.fn.setqflist({}, " ", { title = title, items = items })
    list_id = vim.fn.getqflist({ id = 0 }).id
    open_window("copen", #items)
    vim.keymap.set("n", "<CR>", enter, { buffer = true, desc = "Go to the proposal" })
  end)
end

local function to_change(proposal, hunk)
  local first = hunk.added > 0 and api.nvim_buf_get_lines(proposal.proposed, hunk.line - 1, hunk.line, false)[1] or ""
  return {
    bufnr = proposal.proposed,
    lnum = line_of(proposal, hunk.line),
    module = proposal.label,
    text = ("+%d -%d  %s"):format(hunk.added, hunk.removed, first),
  }
end

local function list_hunks(proposal)
  local hunks = proposal.hunks
  if #hunks == 0 then
    return say.info("There are no changes to list.")
  end
  local items = vim.tbl_map(function(hunk)
    return to_change(proposal, hunk)
  end, hunks)
  vim.fn.setloclist(0, {}, " ", { title = "Changes", items = items })
  open_window("lopen", #hunks)
  view.own(proposal, api.nvim_get_current_win())
end

---Puts the changes of a proposal into the location list of its window.
---@param proposal ide-companion.Proposal
function M.show_hunks(proposal)
  view.enter(proposal)
  draft.when_compared(proposal, list_hunks)
end

return M
