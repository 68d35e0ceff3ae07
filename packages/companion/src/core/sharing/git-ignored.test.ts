import { execFileSync } from "node:child_process";
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

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });

test("what git ignores by the exclude file of worktrees and submodules, or by the user's own file, is kept", async () => {
  const folder = folderWith({ "home/.config/git/ignore": "everywhere.txt\n", "main/a": "", "library/b": "" });
  vi.stubEnv("HOME", join(folder, "home"));
  vi.stubEnv("XDG_CONFIG_HOME", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const [main, library, tree] = ["main", "library", "tree"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const top of [library, main]) {
    git(top, "init", "-q");
    git(top, "add", ".");
    git(top, "commit", "-qm", "x");
  }
  git(main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub");
  git(main, "worktree", "add", "-q", tree);
  writeFileSync(join(main, ".git", "info", "exclude"), "kept.txt\n");
  writeFileSync(join(main, ".git", "modules", "sub", "info", "exclude"), "kept-too.txt\n");
  const kept = [
    join(main, "kept.txt"),
    join(tree, "kept.txt"),
    join(main, "sub", "kept-too.txt"),
    join(tree, "everywhere.txt"),
  ];
  const open = [join(main, "kept-too.txt"), join(main, "sub", "kept.txt"), join(tree, "open.txt")];
  const { check } = createGitIgnored(() => [main, tree], vi.fn());
  expect(await Promise.all(kept.map(check))).toEqual(kept.map(() => true));
  expect(await Promise.all(open.map(check))).toEqual(open.map(() => false));
  git(main, "config", "core.excludesFile", join(folder, "mine"));
  writeFileSync(join(folder, "mine"), "open.txt\n");
  expect(await check(join(tree, "open.txt"))).toBe(true);
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
