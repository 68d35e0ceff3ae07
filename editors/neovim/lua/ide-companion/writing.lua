-- What writing the buffer of a proposal does: the user's own `:w` in its tab accepts it.
local M = {}

local draft = require("ide-companion.draft")
local say = require("ide-companion.say")
local view = require("ide-companion.view")

local api = vim.api

-- Whether the key that runs a command is being worked off: Enter after `:w`, or a mapping. What a plugin has put off
-- runs after that.
local has_pressed = false

vim.on_key(function(key)
  -- The byte 128 begins special keys, as that of `<Cmd>` and of a function in a mapping.
  if not has_pressed and (key == "\r" or key == "\n" or key:byte() == 128) then
    has_pressed = true
    vim.schedule(function()
      has_pressed = false
    end)
  end
end)

---Plugins that save files write in an autocommand or in a timer.
---@return boolean whether the user writes
local function is_by_user()
  local _, autocommands = vim.fn.expand("<stack>"):gsub(" Autocommands for ", "")
  return has_pressed and autocommands == 1
end

---`:w other-file` and `:saveas` write a copy, as in every buffer.
local function write_copy(proposal, path)
  local file, failure = io.open(path, "wb")
  if not file then
    return say.warn(failure)
  end
  file:write(draft.text(proposal))
  file:close()
  say.info(("Written: %s"):format(path))
end

---Says it once: a plugin may save whenever the user stops typing.
local function explain(proposal)
  if not proposal.has_explained then
    proposal.has_explained = true
    say.info(("Only your own :w accepts %s, a plugin does not."):format(proposal.label))
  end
end

---@param accept fun()
local function on_write(proposal, event, accept)
  local buffer = proposal.proposed
  if event.file ~= proposal.name then
    return write_copy(proposal, event.file)
  elseif not is_by_user() then
    return explain(proposal)
  elseif not view.is_current(proposal) then
    return say.warn(("The proposal for %s is accepted by :w in its own tab only."):format(proposal.label))
  elseif not proposal.ended then
    vim.bo[buffer].modified = false
  end
  accept()
end

---`:x` writes only a modified buffer. In a proposal it accepts.
local function on_command_line(buffer)
  if vim.v.event.abort or api.nvim_get_current_buf() ~= buffer then
    return
  end
  local ok, parsed = pcall(api.nvim_parse_cmd, vim.fn.getcmdline(), {})
  if ok and (parsed.cmd == "xit" or parsed.cmd == "exit") then
    vim.bo[buffer].modified = true
  end
end

---Lets writing decide.
---@param proposal ide-companion.Proposal
---@param accept fun()
function M.watch(proposal, accept)
  local buffer = proposal.proposed
  local function on(event, callback)
    api.nvim_create_autocmd(event, { buffer = buffer, callback = callback })
  end
  on("BufWriteCmd", function(event)
    on_write(proposal, event, accept)
  end)
  -- `:saveas` has given it the name of the copy.
  on(
    "BufFilePost",
    vim.schedule_wrap(function()
      if api.nvim_buf_is_valid(buffer) and vim.fn.bufname(buffer) ~= proposal.name then
        api.nvim_buf_set_name(buffer, proposal.name)
      end
    end)
  )
  api.nvim_create_autocmd("CmdlineLeave", {
    pattern = ":",
    callback = function()
      -- True removes the autocommand.
      return not api.nvim_buf_is_valid(buffer) or on_command_line(buffer)
    end,
  })
end

return M
