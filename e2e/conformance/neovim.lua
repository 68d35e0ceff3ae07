-- The actions of the conformance kit's editor command, in a Neovim with the plugin.
local actions = {}

local function byte_of(line, column)
  local text = vim.api.nvim_buf_get_lines(0, line - 1, line, true)[1]
  local _, units = vim.str_utfindex(text)
  return vim.str_byteindex(text, math.min(column - 1, units), true), text
end

---Leaves whatever mode the user is in.
local function normal_mode()
  vim.api.nvim_feedkeys(vim.keycode("<C-\\><C-n>"), "nx", false)
end

---The buffer in which a path is proposed; nil when it is not.
local function proposed(path)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local state = vim.api.nvim_buf_is_loaded(buffer) and vim.b[buffer].ide_companion
    if state and state.path == path then
      return buffer
    end
  end
end

local function expect(path)
  return proposed(path) or error("no proposal for " .. path .. " is open", 0)
end

---Goes to the window of a proposal, as a user would to decide it.
local function enter(path)
  normal_mode()
  local buffer = expect(path)
  if #vim.fn.win_findbuf(buffer) == 0 then
    -- What comes while something is selected waits to be asked for.
    require("ide-companion").diff()
  end
  local window = vim.fn.win_findbuf(buffer)[1] or error("the proposal for " .. path .. " is in no window", 0)
  vim.api.nvim_set_current_win(window)
end

function actions.open(path, line, column)
  normal_mode()
  vim.cmd.tabfirst()
  if vim.api.nvim_buf_get_name(0) ~= path then
    vim.cmd.edit(vim.fn.fnameescape(path))
  end
  vim.api.nvim_win_set_cursor(0, { tonumber(line), (byte_of(tonumber(line), tonumber(column))) })
end

function actions.select(path, line, column, to_line, to_column)
  actions.open(path, line, column)
  local last, text = byte_of(tonumber(to_line), tonumber(to_column))
  vim.cmd.normal({ args = { "v" }, bang = true })
  -- The character under the cursor is part of the selection.
  vim.api.nvim_win_set_cursor(0, { tonumber(to_line), last - 1 + vim.str_utf_start(text, last) })
end

function actions.close(path)
  if proposed(path) then
    enter(path)
    vim.cmd.quit({ bang = true })
  else
    -- As the last one of its tab it would close the tab.
    vim.cmd.tabfirst()
    vim.cmd.enew()
    vim.cmd.bdelete({ args = { vim.fn.fnameescape(path) }, bang = true })
  end
end

function actions.accept(path)
  enter(path)
  vim.cmd.write()
end

function actions.reject(path)
  enter(path)
  require("ide-companion").reject()
end

function actions.edit(path, text)
  enter(path)
  local lines = vim.split(text, "\n", { plain = true })
  local ends = lines[#lines] == "" and #lines > 1
  vim.bo.fixendofline, vim.bo.endofline = false, ends
  vim.api.nvim_buf_set_lines(0, 0, -1, true, ends and vim.list_slice(lines, 1, #lines - 1) or lines)
end

function actions.shows(path)
  return proposed(path) and "yes" or "no"
end

function actions.sweep(path, first, last)
  actions.open(path, first, 1)
  local line = tonumber(first)
  vim.g.sweeping = true
  local timer = assert(vim.uv.new_timer())
  timer:start(
    20,
    20,
    vim.schedule_wrap(function()
      line = line + 1
      if line <= tonumber(last) then
        return vim.api.nvim_win_set_cursor(0, { line, 0 })
      end
      vim.g.sweeping = false
      if not timer:is_closing() then
        timer:close()
      end
    end)
  )
end

function actions.sweeping()
  return vim.g.sweeping and "yes" or "no"
end

function actions.mention(path, first, last)
  actions.open(path, first, 1)
  require("ide-companion").send(tonumber(first), tonumber(last))
end

---A project in another tab, whose working directory it is.
function actions.folder(path)
  normal_mode()
  vim.cmd.tabnew()
  vim.cmd.tcd(vim.fn.fnameescape(path))
end

function actions.environment()
  local lines = {}
  for name, value in pairs(require("ide-companion.status").get().env) do
    lines[#lines + 1] = name .. "=" .. value
  end
  return table.concat(lines, "\n")
end

return function(action, arguments)
  local ok, said = pcall(actions[action], unpack(arguments))
  return { ok = ok, said = ok and (said or "") or tostring(said) }
end
