import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type PrivateFolders = Readonly<ReturnType<typeof createPrivateFolders>>;

/**
 * A private home, temporary folder and workspace; symlinks are resolved. The path is short, because that of a socket in
 * it may have 107 characters.
 */
export function createPrivateFolders() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ide-")));
  const make = (name: string) => {
    mkdirSync(join(folder, name), { mode: 0o700 });
    return join(folder, name);
  };
  const [home, tmp, workspace] = [make("home"), make("tmp"), make("workspace")] as const;
  /** The whole environment of a process in these folders: nothing of the machine's leaks in. */
  const env: Readonly<Record<string, string>> = {
    HOME: home,
    USERPROFILE: home,
    TMPDIR: tmp,
    TMP: tmp,
    TEMP: tmp,
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
  };
  return {
    /** Holds the others. */
    folder,
    home,
    tmp,
    /** Where the user works. */
    workspace,
    env,
    /** Idempotent. Synchronous, because this process may be exiting. */
    remove: () => remove(folder),
  };
}

/** A process that is being killed may still write there, and rmSync looks for files once. */
function remove(folder: string, tries = 10): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 2, retryDelay: 100 });
  } catch (error) {
    if (tries === 0) throw error;
    remove(folder, tries - 1);
  }
}
