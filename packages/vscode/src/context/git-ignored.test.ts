import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createGitIgnored } from "./git-ignored.ts";

test("a file is shared once it is known that git does not ignore it", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ignored-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".gitignore"), "secret.txt\n");
  const onKnown = vi.fn();
  const isIgnored = createGitIgnored(() => [root], onKnown);
  expect(isIgnored(join(root, "open.txt"))).toBe(true);
  await vi.waitFor(() => expect(onKnown).toHaveBeenCalledOnce(), 30_000);
  expect(isIgnored(join(root, "open.txt"))).toBe(false);
  expect(isIgnored(join(root, "secret.txt"))).toBe(true);
});
