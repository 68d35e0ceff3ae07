import { expect, test } from "vitest";
import { checkFilePath } from "../core/changes/review.ts";
import { pathKey, whyNoFilePath } from "./file-path.ts";

const why = (platform: NodeJS.Platform, path: string, roots: readonly string[] = []) =>
  whyNoFilePath(path, { platform, roots });

test.each([
  "C:\\code\\a.ts",
  "c:/code/a.ts",
  "\\code\\a.ts",
  "C:\\code\\console.ts",
  "C:\\code\\com.ts",
  "C:\\code\\com10\\nul-values.ts",
  "\\\\?\\C:\\code\\a.ts",
  "C:\\a b\\ä.ts",
])("on Windows %s may be a file", (path) => {
  expect(why("win32", path)).toBeUndefined();
});

test.each([
  "\\\\evil.example\\share\\a.ts",
  "//evil.example/share/a.ts",
  "\\/evil.example/share/a.ts",
  "\\\\?\\UNC\\evil.example\\share\\a.ts",
  "\\\\?\\unc\\evil.example\\share\\a.ts",
  "//?/UNC/evil.example/share/a.ts",
  "\\\\evil.example@SSL@443\\dav\\a.ts",
  "\\\\127.0.0.1\\c$\\a.ts",
])("on Windows %s is another machine's, and not looked at", (path) => {
  expect(why("win32", path, ["C:\\code", "\\\\nas\\home\\code"])).toBe(
    `must lie on this machine or in an open folder, got ${JSON.stringify(path)}`,
  );
});

test("on Windows a share is looked at in a folder of it that is open, and nowhere above", () => {
  const roots = ["\\\\nas\\home\\code"];
  for (const path of [
    "\\\\nas\\home\\code\\a.ts",
    "//NAS/home/code/new/a.ts",
    "\\\\?\\UNC\\nas\\home\\code\\a",
  ])
    expect(why("win32", path, roots), path).toBeUndefined();
  for (const path of ["\\\\nas\\home\\a", "\\\\nas\\home\\code\\..\\a", "\\\\nas\\home\\code-2\\a"])
    expect(why("win32", path, roots), path).toContain("open folder");
  expect(why("win32", "\\\\nas\\home\\code\\a.ts", ["\\\\?\\UNC\\nas\\home\\code"])).toBeUndefined();
});

test.each([
  "\\\\.\\pipe\\x",
  "//./pipe/x",
  "\\\\.\\C:\\code\\a.ts",
  "\\\\.\\PhysicalDrive0",
  "\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\a",
  "\\\\?\\pipe\\x",
  "C:\\code\\CON",
  "C:\\code\\con.txt",
  "C:\\code\\Nul .txt",
  "C:\\code\\aux.\\a.ts",
  "C:\\code\\LPT1",
  "C:\\code\\COM\u00b9.log",
  "C:\\code\\CONOUT$",
])("on Windows %s is a device, in an open folder too", (path) => {
  expect(why("win32", path, ["C:\\code", "C:\\"])).toBe(
    `must name a file, not a device, got ${JSON.stringify(path)}`,
  );
});

test.each(["C:\\code\\a.txt:stream", "C:\\code\\a.txt::$DATA", "C:\\code:x\\a.txt", "\\code\\a:b"])(
  "on Windows %s is a stream of a file, in an open folder too",
  (path) => {
    expect(why("win32", path, ["C:\\code"])).toBe(
      `must name a file, not a stream of it, got ${JSON.stringify(path)}`,
    );
  },
);

test.each(["C:a.ts", "a.ts", "..\\a.ts", "C:"])("on Windows %s is not absolute", (path) => {
  expect(why("win32", path)).toBe(`must be absolute, got ${JSON.stringify(path)}`);
});

test.each([
  "/code/a.ts",
  "//server/share/a.ts",
  "/code/con",
  "/code/a.txt:b",
  "/devices/a",
  "/dev/shm/code/a",
])("elsewhere %s may be a file", (path) => {
  for (const platform of ["linux", "darwin"] as const) expect(why(platform, path)).toBeUndefined();
});

test("elsewhere the system's own files are not looked at, unless their folder is open", () => {
  for (const path of [
    "/dev/zero",
    "/proc/self/environ",
    "/sys/kernel/x",
    "/code/../proc/kmsg",
    "//proc/kmsg",
  ])
    expect(why("linux", path), path).toBe(
      `must name a file, not a part of the system, got ${JSON.stringify(path)}`,
    );
  expect(why("linux", "/sys/kernel/x", ["/sys/kernel"])).toBeUndefined();
});

test("what is no path is refused with what it is", () => {
  const check = (path: string) => () => checkFilePath(path, { roots: [] });
  expect(check("")).toThrow("filePath must be an absolute path, got an empty string");
  expect(check("/a\0b")).toThrow('filePath must not contain a NUL character, got "/a\\u0000b"');
  expect(check(`/${"a".repeat(4096)}`)).toThrow("filePath must be at most 4096 characters long, got 4097");
  expect(check("/a")).not.toThrow();
});

const isSame = (platform: NodeJS.Platform, one: string, other: string) =>
  pathKey(one, platform) === pathKey(other, platform);

test("on Windows drive letter, slashes and case do not count", () => {
  expect(isSame("win32", "C:\\App\\A.ts", "c:/app/a.ts")).toBe(true);
  expect(isSame("win32", "\\\\Nas\\Home\\a", "//nas/home/A")).toBe(true);
  expect(isSame("win32", "C:\\App\\É.ts", "c:\\app\\é.ts")).toBe(true);
  expect(isSame("win32", "C:\\app\\a.ts", "D:\\app\\a.ts")).toBe(false);
});

test("on macOS neither case nor the way in which an accent is written counts", () => {
  expect(isSame("darwin", "/App/caf\u00e9.ts", "/app/cafe\u0301.ts")).toBe(true);
  expect(isSame("darwin", "/app/a\\b.ts", "/app/a/b.ts")).toBe(false);
});

test("on Linux every byte counts", () => {
  expect(isSame("linux", "/app/a.ts", "/app/A.ts")).toBe(false);
  expect(isSame("linux", "/app/caf\u00e9", "/app/cafe\u0301")).toBe(false);
  expect(isSame("linux", "/a", "/./a")).toBe(false);
});
