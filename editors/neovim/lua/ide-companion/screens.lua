-- What terminals of this Neovim show, and what the companion types into them: comments and references for the prompt of
-- an agent that runs there. The companion looks at the prompt first; nothing presses Enter.
local M = {}

local api = vim.api

-- Rows of terminals that no window shows, by buffer: as long as none does, they stay so.
---@type table<integer, integer>
local hidden_rows = {}

---Remembers how many rows a terminal has when its last window closes.
---@param buffer integer
function M.follow(buffer)
  api.nvim_create_autocmd("BufWinLeave", {
    buffer = buffer,
    callback = function()
      local windows = vim.fn.win_findbuf(buffer)
      hidden_rows[buffer] = windows[1] and api.nvim_win_get_height(windows[1]) or hidden_rows[buffer]
    end,
  })
end

---@return integer|nil buffer of the terminal of a process
---@return integer|nil its process
local function find(pids)
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    local pid = vim.bo[buffer].buftype == "terminal" and vim.b[buffer].terminal_job_pid
    if pid and vim.tbl_contains(pids, pid) then
      return buffer, pid
    end
  end
end

---@return integer|nil how many rows a terminal has; nil when nobody can tell
local function rows_of(buffer)
  local rows
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    rows = math.max(rows or 0, api.nvim_win_get_height(window))
  end
  return rows or hidden_rows[buffer]
end

---`companion/readTerminal`
---@param params { pids: integer[] }
function M.read(params)
  local buffer, pid = find(params.pids)
  local rows = buffer and rows_of(buffer)
  if not rows then
    return vim.empty_dict()
  end
  return { pid = pid, screen = table.concat(api.nvim_buf_get_lines(buffer, -rows - 1, -1, false), "\n") }
end

---Types a text as one paste: a line end in it sends nothing, and no character of it answers a question that the agent
---asks.
function M.paste(buffer, text)
  vim.fn.chansend(vim.bo[buffer].channel, ("\27[200~%s\27[201~"):format(text))
end

---`companion/typeInTerminal`
---@param params { pid: integer, text: string }
function M.type(params)
  local buffer = find({ params.pid })
  if not buffer then
    error(("no terminal has process %d"):format(params.pid), 0)
  end
  M.paste(buffer, params.text)
end

return M
