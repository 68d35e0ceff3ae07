import { expect, test } from "vitest";
import { checkFilePath } from "../core/review-error.ts";
import { whyNoFilePath } from "./file-path.ts";

const why = (platform: NodeJS.Platform, path: string, roots: readonly string[] = []) =>
  whyNoFilePath(path, { platform, roots });

test.each([
  "C:\\work\\a.ts",
  "c:/work/a.ts",
  "\\work\\a.ts",
  "C:\\work\\console.ts",
  "C:\\work\\com.ts",
  "C:\\work\\com10\\nul-values.ts",
  "\\\\?\\C:\\work\\a.ts",
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
  expect(why("win32", path, ["C:\\work", "\\\\nas\\home\\work"])).toBe(
    `must lie on this machine or in an open folder, got ${JSON.stringify(path)}`,
  );
});

test("on Windows a share is looked at in a folder of it that is open, and nowhere above", () => {
  const roots = ["\\\\nas\\home\\work"];
  for (const path of [
    "\\\\nas\\home\\work\\a.ts",
    "//NAS/home/work/new/a.ts",
    "\\\\?\\UNC\\nas\\home\\work\\a",
  ])
    expect(why("win32", path, roots), path).toBeUndefined();
  for (const path of ["\\\\nas\\home\\a", "\\\\nas\\home\\work\\..\\a", "\\\\nas\\home\\work-2\\a"])
    expect(why("win32", path, roots), path).toContain("open folder");
  expect(why("win32", "\\\\nas\\home\\work\\a.ts", ["\\\\?\\UNC\\nas\\home\\work"])).toBeUndefined();
});

test.each([
  "\\\\.\\pipe\\x",
  "//./pipe/x",
  "\\\\.\\C:\\work\\a.ts",
  "\\\\.\\PhysicalDrive0",
  "\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\a",
  "\\\\?\\pipe\\x",
  "C:\\work\\CON",
  "C:\\work\\con.txt",
  "C:\\work\\Nul .txt",
  "C:\\work\\aux.\\a.ts",
  "C:\\work\\LPT1",
  "C:\\work\\COM\u00b9.log",
  "C:\\work\\CONOUT$",
])("on Windows %s is a device, in an open folder too", (path) => {
  expect(why("win32", path, ["C:\\work", "C:\\"])).toBe(
    `must name a file, not a device, got ${JSON.stringify(path)}`,
  );
});

test.each(["C:\\work\\a.txt:stream", "C:\\work\\a.txt::$DATA", "C:\\work:x\\a.txt", "\\work\\a:b"])(
  "on Windows %s is a stream of a file, in an open folder too",
  (path) => {
    expect(why("win32", path, ["C:\\work"])).toBe(
      `must name a file, not a stream of it, got ${JSON.stringify(path)}`,
    );
  },
);

test.each(["C:a.ts", "a.ts", "..\\a.ts", "C:"])("on Windows %s is not absolute", (path) => {
  expect(why("win32", path)).toBe(`must be absolute, got ${JSON.stringify(path)}`);
});

test.each([
  "/work/a.ts",
  "//server/share/a.ts",
  "/work/con",
  "/work/a.txt:b",
  "/devices/a",
  "/dev/shm/work/a",
])("elsewhere %s may be a file", (path) => {
  for (const platform of ["linux", "darwin"] as const) expect(why(platform, path)).toBeUndefined();
});

test("elsewhere the system's own files are not looked at, unless their folder is open", () => {
  for (const path of [
    "/dev/zero",
    "/proc/self/environ",
    "/sys/kernel/x",
    "/work/../proc/kmsg",
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
