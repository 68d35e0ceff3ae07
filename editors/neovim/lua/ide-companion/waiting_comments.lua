-- Comments that no agent has received. The companion stores them until one has, or the user discards them.
local M = {}

local say = require("ide-companion.say")
local stored = require("ide-companion.stored")
local text = require("ide-companion.text")

local function say_copied(waiting)
  local where = text.copy(waiting.message) and "on the clipboard" or 'in register "'
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

local function say_waiting(waiting)
  say.warn(("Your comments on %s wait: %s   :IdeCompanion comments"):format(waiting.label, waiting.reason))
end

---`companion/commentsRecovered`
function M.recovered(params)
  if params.wasSent then
    return say_copied(params)
  end
  say_waiting(params)
end

---Shows at the start that comments on files of this project wait.
---@param all table[]
function M.announce(all)
  stored.announce(all, say_waiting, "No agent has received your comments on %d changes   :IdeCompanion comments")
end

local function send(waiting)
  stored.request("companion/sendComments", { id = waiting.id }, function(result)
    if result.agent then
      return say_sent(result.agent)
    end
    say_copied(waiting)
  end)
end

local function discard(waiting)
  stored.request("companion/discardComments", { id = waiting.id }, function()
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

---Lists them.
function M.show()
  stored.request("companion/waitingComments", vim.empty_dict(), function(result)
    local words = { none = "No comments wait.", prompt = "Comments that no agent has received" }
    stored.choose(result.comments, words, decide)
  end)
end

return M
