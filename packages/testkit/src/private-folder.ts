import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder for one test, removed after it; symlinks are resolved. @param onEnd of a concurrent test: its own */
export function privateFolder(onEnd: (cleanup: () => void) => void = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ide-")));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
