-- The line above each side of a proposal: first the keys, then as many words as fit.
local M = {}

local texts = require("ide-companion.text")

local api = vim.api

---@type table<integer, ide-companion.Proposal> by either buffer
local proposals = {}

-- A shorter part of a sentence is useless.
local least_cut = 12

local width_of = vim.fn.strdisplaywidth

---Joins the first form of each part that fits, and as much of the notes as fits then.
---@param parts string[][]
---@param notes string
---@param width integer
---@return string
local function fit(parts, notes, width)
  local line = ""
  for _, forms in ipairs(parts) do
    local gap = line == "" and "" or "  "
    local chosen = vim.tbl_filter(function(form)
      return width_of(line .. gap .. form) <= width
    end, forms)[1]
    line = chosen and line .. gap .. chosen or line
  end
  local room = width - width_of(line) - 2
  if notes == "" or room < least_cut then
    return line
  end
  return line .. "  " .. (width_of(notes) <= room and notes or vim.fn.printf("%." .. (room - 1) .. "S…", notes))
end

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
local function keys()
  local write = vim.o.write and ":w" or "ZZ"
  return { write .. " accepts  :q rejects", write .. " yes  :q no", write .. " yes" }
end

---@return string[] forms; none without comments
local function comments_of(proposal)
  local count = #proposal.comments
  return count == 0 and {} or { count == 1 and "1 comment" or ("%d comments"):format(count), count .. "c" }
end

---@return string[] forms of how it stands to its file; none where there is nothing to say
local function state_of(proposal)
  return vim.list_slice(proposal.words or {}, 2)
end

---@param is_base boolean whether it is the line above the original
---@return string[][] parts, string notes
local function words_of(proposal, is_base)
  local agent, label, first = proposal.agent, proposal.label, { proposal.facts[1] }
  if is_base then
    return { { label .. " on disk", label, vim.fs.basename(label) } }, notes_of(proposal)
  elseif proposal.ended then
    return { { ":q closes" }, { proposal.ended .. ", nobody waits for this any more", proposal.ended } }, ""
  elseif require("ide-companion.proposal").is_read_only(proposal) then
    local who, locked = { agent .. ": " .. label, agent }, { "read-only", "ro" }
    return { first, keys(), state_of(proposal), locked, comments_of(proposal), who }, proposal.readOnlyReason
  elseif proposal.view and proposal.view.base then
    local who = { agent .. " proposes", agent }
    return { first, keys(), state_of(proposal), comments_of(proposal), who, { "]c next change, do reverts it" } }, ""
  end
  local what = { agent .. " proposes " .. label, agent .. ": " .. label, agent }
  return { first, keys(), state_of(proposal), comments_of(proposal), what }, notes_of(proposal)
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
  local parts, notes = words_of(proposal, is_base)
  local line = fit(parts, notes, api.nvim_win_get_width(window)):gsub("%%", "%%%%")
  return (not is_base and proposal.ended and "%#WarningMsg#" or "") .. line
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
