-- nvim -l tests/run.lua [name of a test file]
local folder = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, "S").source:sub(2)))
package.path = folder .. "/?.lua;" .. package.path

for name in vim.fs.dir(folder) do
  if name:find("_test%.lua$") and (not arg[1] or name:find(arg[1], 1, true)) then
    dofile(folder .. "/" .. name)
  end
end

os.exit(require("harness").finish())
