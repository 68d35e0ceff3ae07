import { expect, test } from "vitest";
import { createPaths, parseFileQuery, tabFolders } from "./paths.ts";

const posix = createPaths("/");
const windows = createPaths("\\");

test("a path is split at its last separator, of the system that it comes from", () => {
  const split = ({ folderPart, baseName }: typeof posix, path: string) => [folderPart(path), baseName(path)];
  expect(split(posix, "src/a.ts")).toEqual(["src/", "a.ts"]);
  expect(split(windows, "C:\\src\\a.ts")).toEqual(["C:\\src\\", "a.ts"]);
  expect(split(windows, "src/a.ts")).toEqual(["src/", "a.ts"]);
  expect(split(posix, "a.ts")).toEqual(["", "a.ts"]);
});

test("a file whose name has a backslash is called by the whole of it where that separates nothing", () => {
  expect(posix.baseName("src/odd\\name.ts")).toBe("odd\\name.ts");
  expect(posix.folderPart("src/odd\\name.ts")).toBe("src/");
  expect(posix.labelPath("/home/me/shop\\old/a.ts", ["/home/me/shop"])).toBe("/home/me/shop\\old/a.ts");
  expect(posix.labelPath("/home/me/shop\\/a.ts", ["/home/me/shop\\"])).toBe("a.ts");
});

test("a label is relative to its root, after the root's name when there are several", () => {
  expect(posix.labelPath("/home/me/shop/src/a.ts", ["/home/me/shop"])).toBe("src/a.ts");
  expect(posix.labelPath("/home/me/shop/src/a.ts", ["/home/me/bar", "/home/me/shop"])).toBe("shop/src/a.ts");
  expect(posix.labelPath("/home/me/shopping/a.ts", ["/home/me/shop"])).toBe("/home/me/shopping/a.ts");
  expect(windows.labelPath("C:\\shop\\a.ts", ["C:\\shop"])).toBe("a.ts");
  expect(posix.labelPath("/etc/hosts", ["/"])).toBe("etc/hosts");
});

const split = (path: string) => path.split("/");
const folders = (...paths: string[]) => Object.fromEntries(tabFolders(paths, split));

test("files of the same name show the end of their folders", () => {
  expect(folders("/p/a/index.ts", "/p/b/index.ts", "/p/other.ts")).toEqual({
    "/p/a/index.ts": "a",
    "/p/b/index.ts": "b",
  });
});

test("the end is as long as it has to be", () => {
  expect(folders("/p/one/src/index.ts", "/p/two/src/index.ts", "/p/lib/index.ts")).toEqual({
    "/p/one/src/index.ts": "one/src",
    "/p/two/src/index.ts": "two/src",
    "/p/lib/index.ts": "lib",
  });
});

test("a folder whose whole path ends another one is shown whole", () => {
  expect(folders("/src/index.ts", "/p/src/index.ts")).toEqual({
    "/src/index.ts": "/src",
    "/p/src/index.ts": "p/src",
  });
});

test.each([
  ["edit.ts", { name: "edit.ts" }],
  ["edit.ts:", { name: "edit.ts" }],
  ["edit.ts:40", { name: "edit.ts", line: 40 }],
  ["edit.ts:40:", { name: "edit.ts", line: 40 }],
  ["src/edit.ts:40:7", { name: "src/edit.ts", line: 40, character: 7 }],
  ["src/edit.ts:40:7:", { name: "src/edit.ts", line: 40, character: 7 }],
  ["edit.ts:0", { name: "edit.ts" }],
  ["a:b.ts", { name: "a:b.ts" }],
  ["", { name: "" }],
])("%j is parsed", (text, query) => {
  expect(parseFileQuery(text)).toEqual(query);
});
