-- Proposals whose agent takes no edits: they are read-only until the user asks to edit their own version.
local M = {}

local say = require("ide-companion.say")

---@param proposal ide-companion.Proposal
---@return boolean whether the user may not edit it
function M.is(proposal)
  return proposal.readOnlyReason ~= nil and not proposal.own_version
end

---Nobody types into it by mistake.
---@param proposal ide-companion.Proposal
function M.lock(proposal)
  vim.bo[proposal.proposed].modifiable = not M.is(proposal)
end

---Says why it cannot be edited, if so.
---@param proposal ide-companion.Proposal
function M.explain(proposal)
  if M.is(proposal) then
    say.info(("%s   :IdeCompanion edit"):format(proposal.readOnlyReason))
  end
end

---Makes it editable.
---@param proposal ide-companion.Proposal
function M.unlock(proposal)
  if proposal.readOnlyReason == nil then
    return
  end
  proposal.own_version = true
  M.lock(proposal)
  vim.cmd.redrawstatus({ bang = true }) -- draws the line above it
  say.info((":w lets %s write its own text, then :IdeCompanion edits offers yours"):format(proposal.agent))
end

return M
