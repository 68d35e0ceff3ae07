-- Windows for the terminals of agents: a split, a float or a tab. Agents that are shown at once share one area.
local M = {}

local config = require("ide-companion.config")

local api = vim.api

---A size below 1 is a fraction of the screen.
local function to_cells(size, all)
  return math.floor(math.max(1, math.min(size < 1 and all * size or size, all - 2)))
end

local function open_float(title, size)
  local columns, lines = vim.o.columns, vim.o.lines - vim.o.cmdheight
  local width, height = to_cells(size or 0.8, columns), to_cells(size or 0.8, lines)
  local empty = api.nvim_create_buf(false, true)
  vim.bo[empty].bufhidden = "wipe" -- the terminal replaces it
  api.nvim_open_win(empty, true, {
    relative = "editor",
    width = width,
    height = height,
    col = math.floor((columns - width) / 2),
    row = math.floor((lines - height) / 2),
    border = "rounded",
    title = " " .. title .. " ",
  })
end

local function open_split(command, size)
  vim.cmd(command)
  if command:find("vsplit") then
    local columns = vim.o.columns
    vim.wo.winfixwidth = true
    -- Wide enough for the boxes of an agent, and at most half of a small screen.
    api.nvim_win_set_width(0, to_cells(size or math.max(columns * 0.45, math.min(80, columns / 2)), columns))
  else
    vim.wo.winfixheight = true
    api.nvim_win_set_height(0, to_cells(size or 0.45, vim.o.lines))
  end
end

local splits = {
  right = "botright vsplit",
  left = "topleft vsplit",
  below = "botright split",
  above = "topleft split",
}

-- The next agent divides the area of the others: a column into rows, rows into columns.
local shared = { right = "belowright split", left = "belowright split" }

---Opens a window for an agent and makes it the current one.
---@param title string of a float
---@param neighbour integer|nil the window of another agent in this tab
function M.open(title, neighbour)
  local options = config.options.terminal
  if options.position == "float" then
    return open_float(title, options.size)
  elseif options.position == "tab" then
    return vim.cmd("tab split")
  elseif neighbour then
    api.nvim_set_current_win(neighbour)
    return vim.cmd(shared[options.position] or "belowright vsplit")
  end
  open_split(splits[options.position], options.size)
end

return M
