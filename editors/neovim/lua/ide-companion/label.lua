-- The line above each side of a proposal: first the keys, then as many words as fit. Neovim cuts the rest.
local M = {}

local texts = require("ide-companion.text")

local api = vim.api

---@type table<integer, ide-companion.Proposal> by either buffer
local proposals = {}

local function notes_of(proposal)
  local buffer = texts.buffer_of(proposal.filePath)
  local notes = {}
  if buffer > 0 and vim.bo[buffer].modified then
    notes[1] = "Your unsaved changes are not in it."
  end
  if require("ide-companion.proposal").is_read_only(proposal) then
    notes[#notes + 1] = ":IdeCompanion edit lets you edit your own version."
  end
  return table.concat(vim.list_extend(notes, proposal.notes), " ")
end

---`:w` does nothing where the option 'write' is off.
---@param room integer in columns
local function keys(room)
  local write = vim.o.write and ":w" or "ZZ"
  local words = write .. " accepts  :q rejects"
  return #words <= room and words or write .. " yes  :q no"
end

---@param width integer of the window
---@param is_base boolean whether it is the line above the original
---@return string[] parts, the most important first; some are empty
local function parts_of(proposal, width, is_base)
  local agent, label, count = proposal.agent, proposal.label, #proposal.comments
  if is_base then
    return { label .. " on disk", notes_of(proposal) }
  elseif proposal.ended then
    return { ":q closes", proposal.ended }
  end
  local fact, state = proposal.facts[1] or "", proposal.words and proposal.words[2] or ""
  local comments = count == 0 and "" or count == 1 and "1 comment" or ("%d comments"):format(count)
  local first = { fact, keys(width - vim.fn.strdisplaywidth(fact) - 2), state }
  if require("ide-companion.proposal").is_read_only(proposal) then
    return vim.list_extend(first, { "read-only", comments, agent .. ": " .. label, proposal.readOnlyReason })
  elseif proposal.view and proposal.view.base then
    return vim.list_extend(first, { comments, agent .. " proposes", "]c next change, do reverts it" })
  end
  return vim.list_extend(first, { comments, ("%s proposes %s"):format(agent, label), notes_of(proposal) })
end

---The line above the window that is being drawn; an expression of 'winbar'.
---@return string
function M.bar()
  local window = api.nvim_get_current_win() -- for as long as it is being drawn
  local proposal = proposals[api.nvim_win_get_buf(window)]
  if not proposal then
    return "" -- the window shows another buffer now
  end
  local is_base = api.nvim_win_get_buf(window) == proposal.base
  local parts = vim.tbl_filter(function(part)
    return part ~= ""
  end, parts_of(proposal, api.nvim_win_get_width(window), is_base))
  local line = table.concat(parts, "  "):gsub("%%", "%%%%")
  return (not is_base and proposal.ended and "%#WarningMsg#" or "") .. line .. "%<"
end

M.winbar = "%{%v:lua.require'ide-companion.label'.bar()%}"

---@param proposal ide-companion.Proposal
function M.attach(proposal)
  proposals[proposal.base], proposals[proposal.proposed] = proposal, proposal
end

function M.detach(proposal)
  proposals[proposal.base], proposals[proposal.proposed] = nil, nil
end

return M
