-- Proposals that Neovim could not show. They wait in the review page, whose link is stored here.
local M = {}

local say = require("ide-companion.say")
local status = require("ide-companion.status")
local text = require("ide-companion.text")

---@type string|nil of the latest message
local link

---Stores the link of a message, which is too long for the command line.
---@param message string
---@param found string the link in it
function M.remember(message, found)
  link = found
  say.error(message .. "   :IdeCompanion diff")
end

---Says that no proposal waits in Neovim. The link of one that waits in the browser is copied.
function M.say_none_waits()
  if not link or #status.get().diffs == 0 then
    return say.info("No proposal waits for you.")
  end
  say.info(("The proposal waits in the browser; its link is %s: %s"):format(text.copy(link), link))
end

return M
