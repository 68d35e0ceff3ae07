import { expect, test } from "vitest";
import { pathKey } from "./path-key.ts";

const isSame = (platform: NodeJS.Platform, one: string, other: string) =>
  pathKey(one, platform) === pathKey(other, platform);

test("on Windows drive letter, slashes and case do not count", () => {
  expect(isSame("win32", "C:\\Work\\A.ts", "c:/work/a.ts")).toBe(true);
  expect(isSame("win32", "\\\\Nas\\Home\\a", "//nas/home/A")).toBe(true);
  expect(isSame("win32", "C:\\Work\\É.ts", "c:\\work\\é.ts")).toBe(true);
  expect(isSame("win32", "C:\\work\\a.ts", "D:\\work\\a.ts")).toBe(false);
});

test("on macOS neither case nor the way in which an accent is written counts", () => {
  expect(isSame("darwin", "/Work/caf\u00e9.ts", "/work/cafe\u0301.ts")).toBe(true);
  expect(isSame("darwin", "/work/a\\b.ts", "/work/a/b.ts")).toBe(false);
});

test("on Linux every byte counts", () => {
  expect(isSame("linux", "/work/a.ts", "/work/A.ts")).toBe(false);
  expect(isSame("linux", "/work/caf\u00e9", "/work/cafe\u0301")).toBe(false);
  expect(isSame("linux", "/a", "/./a")).toBe(false);
});
