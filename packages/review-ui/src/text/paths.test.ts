import { expect, test } from "vitest";
import { createPaths } from "./paths.ts";

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

test("a path is told from its root, by the root's name when there are several", () => {
  expect(posix.labelPath("/home/me/shop/src/a.ts", ["/home/me/shop"])).toBe("src/a.ts");
  expect(posix.labelPath("/home/me/shop/src/a.ts", ["/home/me/bar", "/home/me/shop"])).toBe("shop/src/a.ts");
  expect(posix.labelPath("/home/me/shopping/a.ts", ["/home/me/shop"])).toBe("/home/me/shopping/a.ts");
  expect(windows.labelPath("C:\\shop\\a.ts", ["C:\\shop"])).toBe("a.ts");
  expect(posix.labelPath("/etc/hosts", ["/"])).toBe("etc/hosts");
});
