-- What the user has typed and nobody has taken: in buffers that nothing shows and nothing deletes.
local M = {}

local say = require("ide-companion.say")
local text = require("ide-companion.text")

local last = 0

---@param label string of the file
---@param content string
---@param sentence string what has happened
function M.keep(label, content, sentence)
  last = last + 1
  local buffer = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_buf_set_name(buffer, ("ide-companion://%d/kept/%s"):format(last, label))
  text.put(buffer, content)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].swapfile = false
  say.warn(("%s They are in buffer %d."):format(sentence, buffer))
end

return M
