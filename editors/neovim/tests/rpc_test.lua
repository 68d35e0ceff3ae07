local harness = require("harness")
local test, same = harness.test, harness.same

test("messages are cut into pieces and put together again", function(child)
  same(
    child:lua([[
      package.loaded["ide-companion.rpc"], package.preload["ide-companion.rpc"] = nil, nil
      local got = {}
      local read = require("ide-companion.rpc").reader(function(body) got[#got + 1] = body end)
      local stream = "Content-Length: 5\r\n\r\nhello" .. "content-length: 2\r\nX: y\r\n\r\n{}"
      stream = stream .. "Content-Length: 3\r\n\r\nend"
      for index = 1, #stream do read(stream:sub(index, index)) end
      read(stream)
      return got
    ]]),
    { "hello", "{}", "end", "hello", "{}", "end" }
  )
end)

test("a message that cannot be handled is handled once, and stops no other", function(child)
  local got = child:lua([[
    package.loaded["ide-companion.rpc"], package.preload["ide-companion.rpc"] = nil, nil
    local got = {}
    local read = require("ide-companion.rpc").reader(function(body)
      got[#got + 1] = body
      if body == "bad" then error("no luck", 0) end
    end)
    read("Content-Length: 3\r\n\r\nbadContent-Length: 4\r\n\r\ngoodContent-Length: 3\r\n\r\n")
    read("end")
    return got
  ]])
  same(got, { "bad", "good", "end" })
  child:until_true([[return vim.fn.execute("messages"):find("no luck") ~= nil]])
end)

test("a chunk that comes while a message is handled is cut where it should be", function(child)
  local got = child:lua([[
    package.loaded["ide-companion.rpc"], package.preload["ide-companion.rpc"] = nil, nil
    local got, read = {}, nil
    read = require("ide-companion.rpc").reader(function(body)
      got[#got + 1] = body
      if body == "one" and #got == 1 then
        read("Content-Length: 3\r\n\r\ntwoContent-Length: 5\r\n\r\nth")
      end
    end)
    read("Content-Length: 3\r\n\r\none")
    read("ree")
    return got
  ]])
  same(got, { "one", "two", "three" })
end)
