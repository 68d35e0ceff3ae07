local harness = require("harness")
local test, same = harness.test, harness.same

---The lines of our page for Neovim.
local function page()
  local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
  return vim.fn.readfile(vim.fs.normalize(here .. "/../../../docs/editors/neovim.md"))
end

test("every key of the page's block for lazy.nvim runs a subcommand that exists", function(child)
  local text = table.concat(page(), "\n")
  local block = text:match("\nKeys for lazy%.nvim:\n\n```lua\n(.-)\n```\n")
  local spec = loadstring("return " .. block)()
  local known = child:lua([[return vim.fn.getcompletion("IdeCompanion ", "cmdline")]])
  same(#spec.keys > 5, true)
  for _, key in ipairs(spec.keys) do
    local name = key[2]:match("IdeCompanion ([%w_]+)[^<]*<CR>$")
    same({ key[2], vim.tbl_contains(known, name) }, { key[2], true })
  end
end)

test("the names of agents and of files are completed", function(child)
  child:lua([[require("ide-companion").start()]])
  child:settle()
  for _, word in ipairs({ "run", "continue", "toggle", "focus" }) do
    same(child:lua([[return vim.fn.getcompletion("IdeCompanion " .. ... .. " g", "cmdline")]], word), { "gemini" })
  end
  local path = harness.file("a.txt", "")
  same(child:lua([[return vim.fn.getcompletion("IdeCompanion send " .. ..., "cmdline")]], path:sub(1, -3)), { path })
end)

test("the example of the help passes an argument with spaces to an agent", function(child)
  local help = vim.fn.readfile(vim.fs.dirname(debug.getinfo(1, "S").source:sub(2)) .. "/../doc/ide-companion.txt")
  local command = table.concat(help, "\n"):match("\n    (:IdeCompanion run qwen %-i [^\n]+)")
  child:lua([[require("ide-companion").run = function(...) _G.passed = { ... } end]])
  child:keys(command .. "<CR>")
  same(child:lua("return passed"), { "qwen", { "-i", "fix the tests" } })
end)
