import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { foldersAreKnown, hasUnsavedEdits, isInWorkspace } from "./workspace.ts";

const { folders, workspace } = vi.hoisted(() => {
  const folders: { uri: { scheme: string; fsPath: string } }[] = [];
  const listeners = new Set<() => void>();
  const onDidChangeWorkspaceFolders = (listener: () => void) => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  };
  return {
    folders,
    workspace: {
      workspaceFolders: folders,
      workspaceFile: undefined as object | undefined,
      listeners,
      onDidChangeWorkspaceFolders,
      textDocuments: [{ isDirty: true, uri: "/a/dirty.txt" }],
      notebookDocuments: [
        { isDirty: true, uri: "/a/dirty.ipynb" },
        { isDirty: false, uri: "/a/saved.ipynb" },
      ],
    },
  };
});

vi.mock("vscode", async () => ({ workspace, Uri: (await import("./testing/fake-uri.ts")).FakeUri }));

test.each([
  ["/a/dirty.txt", true],
  ["/a/dirty.ipynb", true],
  ["/a/saved.ipynb", false],
  ["/a/closed.txt", false],
])("unsaved edits of a file are known, be they in a text or in a notebook: %s", (path, isUnsaved) => {
  expect(hasUnsavedEdits(path)).toBe(isUnsaved);
});

test("a window waits for the folders of its workspace file, and without one for nothing", async () => {
  onTestFinished(() => void folders.splice(0));
  await foldersAreKnown();
  workspace.workspaceFile = {};
  const known = foldersAreKnown();
  expect(workspace.listeners.size).toBe(1);
  folders.push({ uri: { scheme: "file", fsPath: "/a" } });
  for (const listener of workspace.listeners) listener();
  await known;
  expect(workspace.listeners.size).toBe(0);
  await foldersAreKnown();
});

test("files of a workspace that was opened by a symlink are in it, under both paths and when they are gone", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "vscode-workspace-")));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [real, link] = [join(home, "real"), join(home, "link")];
  mkdirSync(real);
  symlinkSync(real, link, "junction");
  writeFileSync(join(real, "a.txt"), "");
  writeFileSync(join(home, "b.txt"), "");
  folders.push({ uri: { scheme: "file", fsPath: link } });
  for (const folder of [real, link])
    for (const name of ["a.txt", "gone.txt"])
      expect([folder, name, isInWorkspace(join(folder, name))]).toEqual([folder, name, true]);
  expect(isInWorkspace(join(home, "b.txt"))).toBe(false);
});
