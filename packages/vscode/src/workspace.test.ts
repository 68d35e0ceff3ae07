import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isInWorkspace } from "./workspace.ts";

const { folders } = vi.hoisted(() => ({ folders: [] as { uri: { scheme: string; fsPath: string } }[] }));

vi.mock("vscode", () => ({ workspace: { workspaceFolders: folders } }));

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
