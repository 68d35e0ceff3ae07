import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createGitIgnored } from "./sharing.ts";

/** A folder with these files. @returns its path, symlinks resolved */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ignored-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

test("a file is shared once it is known that git does not ignore it", async () => {
  const root = folderWith({ ".git/HEAD": "", ".gitignore": "secret.txt\n" });
  const onKnown = vi.fn();
  const { has: isIgnored, check } = createGitIgnored(() => [root], onKnown);
  expect(isIgnored(join(root, "open.txt"))).toBe(true);
  await vi.waitFor(() => expect(onKnown).toHaveBeenCalledOnce(), 30_000);
  expect(isIgnored(join(root, "open.txt"))).toBe(false);
  expect(isIgnored(join(root, "secret.txt"))).toBe(true);
  expect(await check(join(root, "new.txt"))).toBe(false);
});

test("a file is shared whose folder has a name that begins as another open folder's", async () => {
  const parent = folderWith({ "shop/.gitignore": "secret.txt\n", "shop-2/open.txt": "" });
  const roots = [join(parent, "shop"), join(parent, "shop-2")];
  const onKnown = vi.fn();
  const { has: isIgnored } = createGitIgnored(() => roots, onKnown);
  const path = join(parent, "shop-2", "open.txt");
  expect(isIgnored(path)).toBe(true);
  await vi.waitFor(() => expect(onKnown).toHaveBeenCalledOnce(), 30_000);
  expect(isIgnored(path)).toBe(false);
});
