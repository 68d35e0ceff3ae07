import { expect, it } from "vitest";
import type { TreeEntry } from "./api.ts";
import { FolderRows } from "./folder-rows.ts";

const root: TreeEntry = { name: "folder", path: "/folder", kind: "folder", ignored: false };
const file = (name: string): TreeEntry => ({ name, path: `/folder/${name}`, kind: "file", ignored: false });

/** A companion of one folder, whose files can change. */
function createFolder() {
  const folder = { files: [file("a.txt")] };
  const tree = async (path?: string) => (path === undefined ? [root] : folder.files);
  return { folders: new FolderRows({ tree }), folder };
}

it("reads again after a refresh has ended", async () => {
  const { folders, folder } = createFolder();
  await folders.refresh();
  folder.files = [];
  await folders.refresh();
  expect(folders.rows.value.map(({ entry }) => entry.name)).toEqual(["folder"]);
});

it("joins folders that hold nothing but the next one into one row", async () => {
  const entry = (path: string, kind: TreeEntry["kind"] = "folder"): TreeEntry => ({
    name: path.slice(path.lastIndexOf("/") + 1),
    path,
    kind,
    ignored: false,
  });
  const disk: Record<string, readonly TreeEntry[]> = {
    "/folder": [entry("/folder/src"), entry("/folder/a.txt", "file")],
    "/folder/src": [entry("/folder/src/main")],
    "/folder/src/main": [entry("/folder/src/main/java")],
    "/folder/src/main/java": [entry("/folder/src/main/java/A.java", "file")],
  };
  const tree = async (path?: string) => [...(path === undefined ? [root] : (disk[path] ?? []))];
  const folders = new FolderRows({ tree });
  const names = () => folders.rows.value.map(({ name, level }) => `${level} ${name}`);
  await folders.refresh();
  await folders.open("/folder/src");
  expect(names()).toEqual(["1 folder", "2 src/main/java", "3 A.java", "2 a.txt"]);
  folders.close("/folder/src/main/java");
  expect(names()).toEqual(["1 folder", "2 src/main/java", "2 a.txt"]);
});
