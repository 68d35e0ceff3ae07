-- The tab of a proposal. It opens in the background and changes nothing of the user's windows.
local M = {}

local comments = require("ide-companion.comments")
local config = require("ide-companion.config")
local label = require("ide-companion.label")
local log = require("ide-companion.log")
local tab_options = require("ide-companion.tab_options")
local text = require("ide-companion.text")
local unified = require("ide-companion.unified")
local windows = require("ide-companion.windows")

local api = vim.api

-- The one that has the tab: the others wait until it is decided, or the user goes on to them.
---@type ide-companion.Proposal|nil
local current

-- Highlighting a larger text takes too long.
local largest_highlighted = 1024 * 1024

---The line that is shown first.
local function first_change(proposal)
  return math.min((proposal.hunks[1] or { line = 1 }).line, api.nvim_buf_line_count(proposal.proposed))
end

---@param proposal ide-companion.Proposal|nil
local function is_shown(proposal)
  return proposal ~= nil and proposal.view ~= nil and windows.shows(proposal.view.proposed, proposal.proposed)
end

---The original next to the proposal, or above it.
local function split(proposal, layout)
  local shown = proposal.view
  vim.cmd(layout == "vertical" and "leftabove vertical split" or "leftabove split")
  shown.base = api.nvim_get_current_win()
  api.nvim_win_set_buf(shown.base, proposal.base)
  windows.set(shown.base, "winbar", label.winbar)
  windows.set(shown.base, "winhighlight", "DiffAdd:DiffDelete,DiffDelete:NonText")
  windows.set(shown.proposed, "winhighlight", "DiffDelete:NonText")
  for _, window in ipairs({ shown.base, shown.proposed }) do
    api.nvim_win_call(window, vim.cmd.diffthis)
  end
  api.nvim_set_current_win(shown.proposed)
  vim.cmd.wincmd("=")
end

---Closes its windows. A user who was in them returns to the previous window.
local function close(proposal)
  local shown = proposal.view
  if not shown then
    return
  end
  proposal.view, current = nil, current ~= proposal and current or nil
  pcall(api.nvim_del_autocmd, shown.watch)
  local tab = api.nvim_get_current_tabpage()
  local target = shown.from or windows.of_last_tab()
  windows.close(shown.base, proposal.base)
  windows.close(shown.proposed, proposal.proposed)
  if not api.nvim_tabpage_is_valid(tab) and target and api.nvim_win_is_valid(target) then
    windows.try(api.nvim_set_current_win, target)
  end
end

---The tab, with the proposal in its window, and the original next to it or inside.
local function lay_out(proposal)
  local layout, before = config.options.diff.layout, current
  if is_shown(before) then
    api.nvim_set_current_win(before.view.proposed)
  end
  vim.cmd(("keepalt %s sbuffer %d"):format(is_shown(before) and "aboveleft" or "$tab", proposal.proposed))
  proposal.view = { proposed = api.nvim_get_current_win(), from = before and before.view.from }
  if before then
    close(before)
  end
  current = proposal
  windows.set(proposal.view.proposed, "winbar", label.winbar)
  if layout == "unified" then
    unified.attach(proposal)
  elseif proposal.original ~= vim.NIL and proposal.original ~= "" then
    split(proposal, layout) -- an empty side would waste half of the screen
  end
  if not proposal.was_shown then
    proposal.was_shown = true
    api.nvim_win_set_cursor(proposal.view.proposed, { first_change(proposal), 0 })
  end
end

---Sets the highlighting and options of the file, by its autocommands.
local function set_filetype(proposal)
  if #proposal.newContent > largest_highlighted then
    return
  end
  local filetype = vim.filetype.match({ filename = proposal.filePath, buf = proposal.proposed })
  if filetype then
    for _, buffer in ipairs({ proposal.base, proposal.proposed }) do
      text.set_filetype(buffer, filetype)
    end
  end
end

---Maps the keys of the diff in both sides.
local function map_keys(proposal)
  local keys = config.options.diff.keys
  for _, buffer in ipairs({ proposal.proposed, proposal.base }) do
    local function map(mode, key, command)
      local description = command:match("IdeCompanion [%w_]+")
      vim.keymap.set(mode, key, command, { buffer = buffer, silent = true, desc = description })
    end
    map("n", "ZZ", "<Cmd>IdeCompanion accept<CR>")
    for word, key in pairs(keys) do
      if key then
        map("n", key, ("<Cmd>IdeCompanion %s<CR>"):format(word))
      end
    end
    if keys.comment then
      map("x", keys.comment, ":IdeCompanion comment<CR>")
    end
  end
end

---Closing its window rejects it, and so does closing the original from inside; `:only` does not, nor does CTRL-W T.
local function watch_windows(proposal)
  local shown = proposal.view
  shown.watch = api.nvim_create_autocmd({ "WinClosed", "WinResized" }, {
    callback = function(event)
      if event.event == "WinResized" then
        return vim.schedule(function()
          M.on_compared(proposal) -- buffers may be going now
        end)
      end
      local window = tonumber(event.match)
      local side = window == shown.proposed and "proposed" or window == shown.base and "base"
      if side == "base" and api.nvim_get_current_win() ~= window then
        shown.base = nil
      elseif side then
        vim.schedule(function()
          -- A side that was moved has another window. It may also have been closed or opened again meanwhile.
          shown[side] = vim.fn.win_findbuf(proposal[side])[1] or window
          if proposal.view == shown and shown[side] == window then
            proposal.on_closed()
          end
        end)
      end
    end,
  })
end

---Whether the user is in the tab of the proposal.
function M.is_current(proposal)
  return is_shown(proposal)
    and api.nvim_win_get_tabpage(proposal.view.proposed) == api.nvim_get_current_tabpage()
end

function M.open(proposal)
  if is_shown(proposal) then
    return
  end
  close(proposal) -- closes the remaining window, as after `:wq`
  label.attach(proposal)
  windows.in_background(function()
    lay_out(proposal)
  end)
  map_keys(proposal)
  watch_windows(proposal)
  tab_options.watch()
  set_filetype(proposal)
  comments.draw(proposal)
  vim.cmd.redrawtabline()
  if config.options.diff.focus then
    -- Unless it has closed when the user has stopped typing: no key for another text reaches it.
    windows.when(function()
      return windows.are_calm() and api.nvim_get_mode().mode:find("^[nt]") ~= nil
    end, function()
      return proposal.view and M.enter(proposal)
    end)
  end
end

---Opens the tab unless another proposal has it: at once, or when the user has finished a selection, an operator or the
---command line.
function M.open_when_possible(proposal)
  local waits = windows.when(windows.are_calm, function()
    if api.nvim_buf_is_valid(proposal.proposed) and not is_shown(current) then -- else closed meanwhile
      M.open(proposal)
    end
  end)
  if waits then
    log.add(("the diff of %s waits for the user to be done"):format(proposal.label))
  end
end

---Its hunks are those of its text.
function M.on_compared(proposal)
  if is_shown(proposal) then
    if config.options.diff.layout == "unified" then
      unified.draw(proposal)
    end
    comments.draw(proposal)
    vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
  end
end

---Shows that its texts have changed.
function M.redraw(proposal)
  M.on_compared(proposal)
  if is_shown(proposal) then
    api.nvim_win_call(proposal.view.proposed, vim.cmd.diffupdate)
  end
end

---Goes to its tab.
function M.enter(proposal)
  local window, is_here = api.nvim_get_current_win(), current ~= nil and M.is_current(current)
  M.open(proposal)
  if not is_here then
    proposal.view.from = window
  end
  api.nvim_set_current_win(proposal.view.proposed)
end

---@return boolean whether the next key may belong to what the user types in it
function M.is_typed_in(proposal)
  return windows.is_typed_in({ proposal.proposed, proposal.base })
end

---@param after fun() Runs when its windows are closed.
function M.close(proposal, after)
  windows.when_left({ proposal.proposed, proposal.base }, function()
    close(proposal)
    after()
  end)
end

return M
