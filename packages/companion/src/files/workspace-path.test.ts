import nodePath from "node:path";
import { expect, test } from "vitest";
import { rootOf } from "./workspace-path.ts";

const { posix, win32 } = nodePath;

test.each([
  ["/a/b/x.ts", ["/a/b", "/a/bc"], "/a/b"],
  ["/a/bc/x.ts", ["/a/b", "/a/bc"], "/a/bc"],
  ["/a/b/deep/x.ts", ["/a", "/a/b", "/"], "/a/b"],
  ["/a/b..c/x.ts", ["/a"], "/a"],
  ["/a/bc/x.ts", ["/a/b"], undefined],
])("%s is in one of %j: %s", (path, roots, expected) => {
  expect(rootOf(path, roots, posix)).toBe(expected);
});

test.each([
  ["c:\\work\\shop\\x.ts", ["C:\\Work\\Shop", "C:\\Work\\Shop-2"], "C:\\Work\\Shop"],
  ["C:\\Work\\Shop-2\\x.ts", ["c:\\work\\shop", "c:\\work\\shop-2"], "c:\\work\\shop-2"],
  ["d:\\work\\shop\\x.ts", ["c:\\work\\shop"], undefined],
])("on Windows, where case does not count, %s is in one of %j: %s", (path, roots, expected) => {
  expect(rootOf(path, roots, win32)).toBe(expected);
});
