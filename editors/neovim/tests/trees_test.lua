local harness = require("harness")
local test, same = harness.test, harness.same

---The paths that a file tree of the current window has on some lines.
local function entries(child, first, last)
  return child:lua([[return require("ide-companion.trees").entries(...)]], first, last)
end

---A window like that of a tree, with a line for each of its entries; and the tree's modules.
local function tree(child, filetype, modules)
  child:lua(
    [[
    local filetype, modules = ...
    vim.api.nvim_buf_set_lines(0, 0, -1, true, { "one", "two", "three" })
    for name, code in pairs(modules) do package.preload[name] = loadstring(code) end
    vim.cmd("noautocmd setlocal buftype=nofile filetype=" .. filetype)
    ]],
    filetype,
    modules
  )
end

test("netrw: the entries on lines, or the marked ones", function(child)
  local folder = vim.fs.dirname(harness.file("a b.txt", ""))
  vim.fn.mkdir(folder .. "/sub")
  vim.fn.writefile({}, folder .. "/sub/inner.txt")
  child:lua([[vim.cmd("silent edit " .. ...)]], folder)
  same(child:lua("return vim.bo.filetype"), "netrw")
  local line = child:lua([[return vim.fn.search("^sub/")]])
  same(entries(child, line, line + 1), { folder .. "/sub", folder .. "/a b.txt" })
  same(entries(child, 1, 1), {}) -- the banner
  child:lua([[vim.fn.search("^a b"); vim.cmd("normal mf")]])
  same(entries(child, line, line), { folder .. "/a b.txt" })
end)

test("netrw as a tree: the entries of folders that are open", function(child)
  local folder = vim.fs.dirname(harness.file("sub/inner.txt", ""))
  child:lua([[vim.g.netrw_liststyle = 3; vim.cmd("silent edit " .. ...)]], vim.fs.dirname(folder))
  child:lua([[vim.fn.search("sub/$")]])
  child:keys("<CR>")
  local line = child:until_true([[local line = vim.fn.search("inner"); return line > 0 and line]])
  same(entries(child, line - 1, line), { folder, folder .. "/inner.txt" })
end)

test("oil: the entries on lines", function(child)
  tree(child, "oil", {
    oil = [[return {
      get_current_dir = function() return "/app/" end,
      get_entry_on_line = function(_, line)
        return ({ { name = "src", type = "directory" }, { name = "a.ts", type = "file" } })[line]
      end,
    }]],
  })
  same(entries(child, 1, 3), { "/app/src", "/app/a.ts" })
end)

test("nvim-tree: the entries on lines, or the marked ones", function(child)
  tree(child, "NvimTree", {
    ["nvim-tree.api"] = [[_G.marked = {} return {
      marks = { list = function() return marked end },
      tree = { get_node_under_cursor = function()
        return ({ { name = ".." }, { absolute_path = "/app/src" }, { absolute_path = "/app/a.ts" } })[vim.fn.line(".")]
      end },
    }]],
  })
  same(entries(child, 1, 3), { "/app/src", "/app/a.ts" })
  same(child:lua("return vim.fn.line('.')"), 1)
  child:lua([[marked = { { absolute_path = "/app/b.ts" } }]])
  same(entries(child, 2, 2), { "/app/b.ts" })
end)

test("neo-tree: the entries on lines", function(child)
  tree(child, "neo-tree", {
    ["neo-tree.sources.manager"] = [[
      local nodes = { { path = "/app" }, { path = "/app/a.ts" }, { type = "message" } }
      return { get_state_for_window = function()
        return { tree = { get_node = function(_, line) return nodes[line] end } }
      end }
    ]],
  })
  same(entries(child, 1, 3), { "/app", "/app/a.ts" })
end)

test("mini.files: the entries on lines", function(child)
  tree(child, "minifiles", {
    ["mini.files"] = [[
      local found = { { fs_type = "directory", path = "/app/src" }, { fs_type = "file", path = "/app/a" } }
      return { get_fs_entry = function(_, line) return found[line] end }
    ]],
  })
  same(entries(child, 1, 2), { "/app/src", "/app/a" })
end)

test("snacks explorer: what is selected, or under the cursor", function(child)
  tree(child, "snacks_picker_list", {
    snacks = [[return { picker = {
      get = function(options)
        return options.source == "explorer" and { { selected = function(_, how)
          return how.fallback and { { file = "src", cwd = "/app" }, { file = "a.ts", cwd = "/app" } } or {}
        end } } or {}
      end,
      util = { path = function(item) return item.cwd .. "/" .. item.file end },
    } }]],
  })
  same(entries(child, 1, 1), { "/app/src", "/app/a.ts" })
end)

test("what is marked in a tree is sent, and a window that is none has no entries", function(child)
  same(entries(child, 1, 1), vim.NIL)
  tree(child, "oil", {
    oil = [[return { get_current_dir = function() return "/app/" end,
      get_entry_on_line = function(_, line) return line < 3 and { name = "f" .. line } or nil end }]],
  })
  child:lua([[answers["companion/send"] = { message = "It is there" }; require("ide-companion").start()]])
  child:keys(":1,2IdeCompanion send<CR>")
  same(child:sent("companion/send")[1].mentions, { { path = "/app/f1" }, { path = "/app/f2" } })
  child:keys(":3IdeCompanion send<CR>")
  same(child:row(0):find("There is no file on this line.", 1, true) ~= nil, true)
end)
