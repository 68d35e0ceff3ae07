import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { confine } from "../../files/workspace-path.ts";
import { listFolder, listRoots } from "./api.ts";

/** @param files content by relative path; a path that ends in a slash is a folder. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const root = privateFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(path.endsWith("/") ? join(root, path) : dirname(join(root, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(root, path), content);
  }
  return root;
}

async function list(path: string, root = path) {
  const confined = await confine(path, [root]);
  if (!confined) throw new Error(`${path} is outside of ${root}`);
  return listFolder(path, confined);
}

const namesOf = async (path: string, root = path) => (await list(path, root)).map(({ name }) => name);
const ignoredIn = async (path: string, root = path) =>
  (await list(path, root)).filter(({ ignored }) => ignored).map(({ name }) => name);

test("folders come first, numbers in their order, git's own folder not at all", async () => {
  const root = folderOf({
    "b10.ts": "",
    "b9.ts": "",
    "A.ts": "",
    "z/": "",
    ".git/": "",
    ".github/": "",
    "é.ts": "",
  });
  expect(await namesOf(root)).toEqual([".github", "z", "A.ts", "b9.ts", "b10.ts", "é.ts"]);
  expect(await list(root)).toContainEqual({
    name: "b9.ts",
    path: join(root, "b9.ts"),
    kind: "file",
    ignored: false,
  });
});

test("the roots are listed when no folder is asked for", () => {
  expect(listRoots(["/project/a", "/"])).toEqual([
    { name: "a", path: "/project/a", kind: "folder", ignored: false },
    { name: "/", path: "/", kind: "folder", ignored: false },
  ]);
});

test("ignored files are marked, by nested rules and the repository's own", async () => {
  const root = folderOf({
    ".gitignore": "*.log\n/build\nnode_modules/\n",
    ".git/info/exclude": "private.txt\n",
    "a.log": "",
    "build/": "",
    "private.txt": "",
    "node_modules/x/y.js": "",
    "sub/.gitignore": "!keep.log\nsecret\n",
    "sub/keep.log": "",
    "sub/drop.log": "",
    "sub/secret": "",
    "sub/build/": "",
  });
  expect(await ignoredIn(root)).toEqual(["build", "node_modules", "a.log", "private.txt"]);
  expect(await ignoredIn(join(root, "sub"), root)).toEqual(["drop.log", "secret"]);
  expect(await ignoredIn(join(root, "node_modules", "x"), root)).toEqual(["y.js"]);
});

test("a folder pattern does not ignore a file of that name, nor a link to a folder", async () => {
  const root = folderOf({ ".gitignore": "out/\n", "real/": "", "sub/out": "" });
  symlinkSync(join(root, "real"), join(root, "out"));
  expect(await ignoredIn(root)).toEqual([]);
  expect(await ignoredIn(join(root, "sub"), root)).toEqual([]);
});

test("a folder opened within a repository knows the rules above it", async () => {
  const repository = folderOf({
    ".git/": "",
    ".gitignore": "dist\n",
    "package/dist/": "",
    "package/a.ts": "",
  });
  const root = join(repository, "package");
  expect(await ignoredIn(root)).toEqual(["dist"]);
});

test("a project in a home that ignores everything is not ignored", async () => {
  const home = folderOf({
    ".git/": "",
    ".gitignore": "*\n",
    "project/.gitignore": "dist\n",
    "project/a.ts": "",
  });
  mkdirSync(join(home, "project", "dist"));
  expect(await ignoredIn(join(home, "project"))).toEqual(["dist"]);
});

test("links show where they lead to", async () => {
  const root = folderOf({ "folder/": "", file: "" });
  symlinkSync(join(root, "folder"), join(root, "to-folder"));
  symlinkSync(join(root, "nowhere"), join(root, "to-nowhere"));
  const kinds = Object.fromEntries((await list(root)).map(({ name, kind }) => [name, kind]));
  expect(kinds).toEqual({ folder: "folder", file: "file", "to-folder": "folder", "to-nowhere": "file" });
});

test("what is no folder is refused with its reason", async () => {
  const root = folderOf({ file: "" });
  await expect(list(join(root, "file"), root)).rejects.toMatchObject({ status: 400 });
  await expect(list(join(root, "gone"), root)).rejects.toMatchObject({
    status: 404,
    message: `There is no folder ${join(root, "gone")}.`,
  });
});

test("a folder of 10 000 entries is listed whole", async () => {
  const root = folderOf({ ".gitignore": "*.log\nbuild/\n" });
  for (let index = 0; index < 10_000; index += 1) writeFileSync(join(root, `f${index}.txt`), "");
  expect(await list(root)).toHaveLength(10_001);
});
