-- What the companion stores until the user has decided about it: recovered edits, and comments that wait.
local M = {}

local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")

---Sends a request, and shows why it fails.
---@param method string
---@param params table
---@param action fun(result: any)
function M.request(method, params, action)
  rpc.request(method, params, function(result, failure)
    if failure then
      return say.error(failure.message)
    end
    action(result)
  end)
end

local function is_here(one)
  for _, root in ipairs(require("ide-companion.roots").current()) do
    if vim.startswith(one.filePath, root .. "/") then
      return true
    end
  end
  return false
end

---Shows at the start what an earlier Neovim or companion has left for this project, as after a crash.
---@param all table[] each with a `filePath`
---@param say_one fun(one: table) for the only one
---@param several string a message with %d
function M.announce(all, say_one, several)
  local here = vim.tbl_filter(is_here, all)
  if #here == 1 then
    say_one(here[1])
  elseif #here > 1 then
    say.warn(several:format(#here))
  end
end

local function to_line(one)
  return ("%s  %s, %s: %s"):format(one.label, one.agent, os.date("%d %b %H:%M", one.at / 1000), one.reason or one.text)
end

---Lets the user choose one of several; the only one needs no choice.
---@param all table[]
---@param words { none: string, prompt: string }
---@param action fun(one: table)
function M.choose(all, words, action)
  if #all == 0 then
    return say.info(words.none)
  elseif #all == 1 then
    return action(all[1])
  end
  vim.ui.select(all, { prompt = words.prompt, format_item = to_line }, function(choice)
    if choice then
      action(choice)
    end
  end)
end

return M
