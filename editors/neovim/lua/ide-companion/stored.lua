-- What the companion lists: what waits, recovered edits, comments that no agent has received, and what was decided. It
-- sends rows with what can be done with each.
local M = {}

local draft = require("ide-companion.draft")
local proposals = require("ide-companion.proposal")
local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")
local text = require("ide-companion.text")
local windows = require("ide-companion.windows")

local api = vim.api

-- In a comparison.
local keys = { restore = "r", discard = "d", undo = "u", reapply = "p", keep = "a", revert = "r" }

local function tell(result)
  say.info(text.sentence(result.message, result))
end

---`companion/news`
function M.news(params)
  local show = params.severity == "warning" and say.warn or say.info
  show(text.sentence(params.text, params) .. (params.list and "   :IdeCompanion " .. params.list or ""))
end

---Pauses sharing, or ends the pause, for every companion of the project.
---@param paused boolean
function M.pause(paused)
  rpc.ask("companion/pause", { paused = paused }, tell)
end

---Says when the user looks at what agents write in this project, or sets it.
---@param mode string? `before`, `after` or `off`
function M.review(mode)
  rpc.ask("companion/review", { mode = mode }, tell)
end

---Shows what waits on the review page too.
function M.page()
  rpc.ask("companion/openPage", vim.empty_dict(), tell)
end

local function to_line(row)
  return ("%s  %s, %s: %s"):format(row.label, row.agent, os.date("%d %b %H:%M", row.at / 1000), row.text)
end

---Lets the user choose; the only one needs no choice.
local function choose(all, prompt, format_item, action)
  vim.ui.select(all, { prompt = prompt, format_item = format_item }, function(choice)
    if choice then
      action(choice)
    end
  end)
end

---Puts a text into the buffer of its file, as one unsaved change.
local function put(row, what, close)
  local buffer = text.buffer_of(what.filePath)
  if what.onlySaved and buffer > 0 and vim.bo[buffer].modified then
    return say.warn(("%s has unsaved changes: write them first"):format(row.label))
  end
  close()
  vim.cmd("hide edit " .. vim.fn.fnameescape(what.filePath))
  text.replace(0, what.content)
  say.info((":w saves %s, u undoes that: %s"):format(what.what, row.label))
end

---Sends the user's decision about several proposals. Comments go along.
local function decide(what)
  for _, id in ipairs(what.ids) do
    local proposal = proposals.find(id)
    if proposal then
      proposals.decide(proposal, what.accept and "diffAccepted" or "diffRejected", #proposal.comments > 0)
    end
  end
end

local compare

---@param params table of `companion/act`
---@param row table|nil that it is about
---@param close fun()|nil closes the comparison that the user is in
local function act(params, row, close)
  close = close or function() end
  rpc.ask("companion/act", params, function(result)
    local ask = result.ask
    if ask then
      if vim.fn.confirm(ask.question, ("&%s\n&Cancel"):format(ask.yes), 2) == 1 then
        act(vim.tbl_extend("force", params, { sure = true }), row, close)
      end
      return
    elseif result.decide then
      decide(result.decide)
    elseif result.put then
      put(row, result.put, close)
    elseif result.compare then
      compare(params.list, row, result.compare)
    elseif result.removed then
      close()
      require("ide-companion.list").follow(params.list)
    end
    if result.message then
      local next = result.next and "   :IdeCompanion " .. result.next:gsub("%-", "_") or ""
      say.info(text.sentence(result.message, result) .. next)
    end
  end)
end

---@param action table of the row
---@param close fun()|nil as above
local function perform(list, row, action, close)
  act({ list = list, id = row.id, action = action.code }, row, close)
end

---Does something about what waits, with what the server has to know.
---@param action string
---@param id string|nil of a proposal; by default it is about all of them
---@param stop_at string[]|nil patterns of files that wait for the user all the same, as in a `.gitignore`
function M.act(action, id, stop_at)
  draft.flush_all()
  act({ list = "waiting", id = id or "", action = action, stopAt = stop_at })
end

---Shows a diff in a tab, with keys for the other actions of its row.
compare = function(list, row, compared)
  local from = api.nvim_get_current_win()
  local buffer = text.new_buffer("Diff", compared.label, compared.patch)
  vim.bo[buffer].bufhidden = "wipe" -- it lives as long as its window
  vim.bo[buffer].modifiable = false
  vim.cmd("tab sbuffer " .. buffer)
  text.set_filetype(buffer, "diff")
  local window, words = api.nvim_get_current_win(), {}
  local function close()
    windows.close(window, buffer)
    if api.nvim_win_is_valid(from) then
      api.nvim_set_current_win(from)
    end
  end
  local function map(key, name, action)
    words[#words + 1] = key .. " " .. name
    vim.keymap.set("n", key, action, { buffer = buffer, nowait = true, desc = name })
  end
  for _, action in ipairs(vim.list_slice(row.actions, 2)) do
    map(keys[action.code], action.name, function()
      perform(list, row, action, close)
    end)
  end
  map("q", "closes", close)
  words[#words + 1] = ("%s: %s"):format(row.agent, row.text)
  windows.set(window, "winbar", table.concat(words, "  "):gsub("%%", "%%%%") .. "%<")
end

local function enter(list, row)
  if row.actions[1].code == "show" then
    return perform(list, row, row.actions[1])
  end
  choose(row.actions, to_line(row), function(action)
    return action.name
  end, function(action)
    perform(list, row, action)
  end)
end

---Shows a list; the only row needs no choice.
---@param list "written"|"edits"|"history"|"comments"
---@param wanted string|nil only rows that hold it
function M.show(list, wanted)
  rpc.ask("companion/list", { list = list, wanted = wanted }, function(result)
    if #result.rows == 0 then
      return say.info(result.none)
    elseif #result.rows == 1 then
      return enter(list, result.rows[1])
    end
    choose(result.rows, result.title, to_line, function(row)
      enter(list, row)
    end)
  end)
end

return M
