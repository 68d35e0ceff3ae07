import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import nodePath, { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { confine, holds, isInside, linkedPath, rootOf } from "./workspace-path.ts";

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

test("a path inside is described by its root and what follows", async () => {
  const root = privateFolder();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "..a"), "");
  expect(await confine(join(root, "src", "..a"), ["/elsewhere", root])).toEqual({
    root,
    realRoot: root,
    real: join(root, "src", "..a"),
    relative: join("src", "..a"),
  });
  expect(await confine(root, [root])).toMatchObject({ relative: "" });
});

test("a file that does not exist yet lies where its folder lies", async () => {
  const root = privateFolder();
  expect(await confine(join(root, "new", "deep", "a.ts"), [root])).toMatchObject({
    relative: join("new", "deep", "a.ts"),
  });
});

test("dots, a link to a file and a link to a folder do not lead out", async () => {
  const base = privateFolder();
  const root = join(base, "root");
  mkdirSync(root);
  mkdirSync(join(base, "root-neighbour"));
  writeFileSync(join(base, "secret"), "");
  symlinkSync(join(base, "secret"), join(root, "file"));
  symlinkSync(base, join(root, "folder"));
  symlinkSync(join(base, "not-there"), join(root, "broken"));
  for (const path of ["../secret", "file", "folder", "folder/secret", "folder/new", "../root-neighbour"]) {
    expect(await confine(`${root}/${path}`, [root]), path).toBeUndefined();
  }
  // It leads nowhere, and what reads it does not follow links.
  expect(await confine(join(root, "broken"), [root])).toMatchObject({ real: join(root, "broken") });
});

test("a root reached by a link is the folder it leads to", async () => {
  const base = privateFolder();
  mkdirSync(join(base, "real"));
  writeFileSync(join(base, "real", "a"), "");
  symlinkSync(join(base, "real"), join(base, "link"));
  const link = join(base, "link");
  expect(await confine(join(link, "a"), [link])).toMatchObject({ root: link, relative: "a" });
  expect(await confine(join(base, "real", "a"), [link])).toMatchObject({ root: link, relative: "a" });
});

test("drives and letter case are Windows' own", () => {
  const inside = (path: string, folder: string) => isInside(path, folder, nodePath.win32);
  expect(inside("C:\\Work\\a.ts", "c:\\work")).toBe(true);
  expect(inside("D:\\work\\a.ts", "C:\\work")).toBe(false);
  expect(inside("C:\\work-two\\a.ts", "C:\\work")).toBe(false);
  expect(inside("C:\\", "C:\\work")).toBe(false);
});

test("on Windows the links of a file that the system has no name for are followed all the same", () => {
  const own = (path: string) => `own ${path}`;
  const failing = (code: string) => ({
    own,
    native: () => {
      throw Object.assign(new Error(code), { code });
    },
  });
  expect(linkedPath("R:\\a", { ...failing("UNKNOWN"), platform: "win32" })).toBe("own R:\\a");
  expect(linkedPath("R:\\a", { ...failing("EISDIR"), platform: "win32" })).toBe("own R:\\a");
  expect(() => linkedPath("R:\\a", { ...failing("ENOENT"), platform: "win32" })).toThrow("ENOENT");
  expect(() => linkedPath("/a", { ...failing("UNKNOWN"), platform: "darwin" })).toThrow("UNKNOWN");
});

test("a folder is the same by both of its paths, as /var/folders and /private/var/folders are on macOS", async () => {
  const base = privateFolder();
  mkdirSync(join(base, "private", "var", "shop"), { recursive: true });
  symlinkSync(join(base, "private", "var"), join(base, "var"));
  const [short, long] = [join(base, "var", "shop"), join(base, "private", "var", "shop")];
  expect([holds([short], long), holds([long], short)]).toEqual([true, true]);
  expect(await confine(join(short, "new.ts"), [long])).toMatchObject({ root: long, relative: "new.ts" });
  expect(await confine(join(long, "new.ts"), [short])).toMatchObject({ root: short, relative: "new.ts" });
});
