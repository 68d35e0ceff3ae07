-- What the user has typed and nobody has taken: in buffers that nothing shows and nothing deletes.
local M = {}

local say = require("ide-companion.say")
local text = require("ide-companion.text")

---@param label string of the file
---@param content string
---@param sentence string what has happened
function M.keep(label, content, sentence)
  local buffer = text.new_buffer("Your text", label, content)
  vim.bo[buffer].buflisted = true
  say.warn(("%s They are in buffer %d."):format(sentence, buffer))
end

return M
