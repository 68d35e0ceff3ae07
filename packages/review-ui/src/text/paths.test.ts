import { expect, test } from "vitest";
import { baseName, folderPart, labelPath } from "./paths.ts";

test("a path is split at its last separator, whichever system it comes from", () => {
  expect([folderPart("src/a.ts"), baseName("src/a.ts")]).toEqual(["src/", "a.ts"]);
  expect([folderPart("C:\\src\\a.ts"), baseName("C:\\src\\a.ts")]).toEqual(["C:\\src\\", "a.ts"]);
  expect([folderPart("a.ts"), baseName("a.ts")]).toEqual(["", "a.ts"]);
});

test("a path is told from its root, by the root's name when there are several", () => {
  expect(labelPath("/home/me/shop/src/a.ts", ["/home/me/shop"])).toBe("src/a.ts");
  expect(labelPath("/home/me/shop/src/a.ts", ["/home/me/bar", "/home/me/shop"])).toBe("shop/src/a.ts");
  expect(labelPath("/home/me/shopping/a.ts", ["/home/me/shop"])).toBe("/home/me/shopping/a.ts");
  expect(labelPath("C:\\shop\\a.ts", ["C:\\shop"])).toBe("a.ts");
  expect(labelPath("/etc/hosts", ["/"])).toBe("etc/hosts");
});
