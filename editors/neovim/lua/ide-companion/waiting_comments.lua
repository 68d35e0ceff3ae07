-- Comments that no agent has received. The companion stores them until one has, or the user discards them.
local M = {}

local rpc = require("ide-companion.rpc")
local say = require("ide-companion.say")

local function copy(waiting)
  vim.fn.setreg('"', waiting.message)
  local has_clipboard = vim.fn.has("clipboard") == 1
  if has_clipboard then
    vim.fn.setreg("+", waiting.message)
  end
  return has_clipboard and "on the clipboard" or 'in register "'
end

local function say_copied(waiting)
  local where = copy(waiting)
  say.info(("Your comments on %s are %s: paste them into %s"):format(waiting.label, where, waiting.agent))
end

local function say_sent(agent)
  say.info(("Your comments are in the prompt of %s: press Enter there"):format(agent))
end

---`companion/commentsDelivered`
function M.delivered(params)
  if params.by == "prompt" then
    say_sent(params.agent)
  end
end

---`companion/commentsRecovered`
function M.recovered(params)
  if params.wasSent then
    return say_copied(params)
  end
  say.warn((":IdeCompanion comments   Yours on %s wait: %s"):format(params.label, params.reason))
end

---@param action fun(comments: table[]) newest first
local function with_list(action)
  rpc.request("companion/waitingComments", vim.empty_dict(), function(result, failure)
    if failure then
      return say.error(failure.message)
    end
    action(result.comments)
  end)
end

local function send(waiting)
  rpc.request("companion/sendComments", { id = waiting.id }, function(result, failure)
    if failure then
      return say.error(failure.message)
    elseif result.agent then
      return say_sent(result.agent)
    end
    say_copied(waiting)
  end)
end

local function discard(waiting)
  rpc.request("companion/discardComments", { id = waiting.id }, function(_, failure)
    if failure then
      return say.error(failure.message)
    end
    say.info(("Discarded: your comments on %s."):format(waiting.label))
  end)
end

---Lets the user choose what becomes of them.
local function decide(waiting)
  local actions = {
    { "Put them into the agent's prompt", send },
    { "Copy them", say_copied },
    { "Discard them", discard },
  }
  vim.ui.select(actions, {
    prompt = ("Your comments on %s, for %s"):format(waiting.label, waiting.agent),
    format_item = function(action)
      return action[1]
    end,
  }, function(choice)
    if choice then
      choice[2](waiting)
    end
  end)
end

local function to_line(waiting)
  return ("%s  %s, %s: %s"):format(
    waiting.label,
    waiting.agent,
    os.date("%d %b %H:%M", waiting.at / 1000),
    waiting.reason
  )
end

---Lists them.
function M.show()
  with_list(function(all)
    if #all == 0 then
      say.info("No comments wait.")
    elseif #all == 1 then
      decide(all[1])
    else
      vim.ui.select(all, { prompt = "Comments that no agent has received", format_item = to_line }, function(choice)
        if choice then
          decide(choice)
        end
      end)
    end
  end)
end

return M
