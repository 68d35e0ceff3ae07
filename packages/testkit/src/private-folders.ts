import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A private home, temporary folder and workspace; symlinks are resolved. */
export interface PrivateFolders {
  /** Holds the others. */
  readonly folder: string;
  readonly home: string;
  readonly tmp: string;
  /** Where the user works. */
  readonly workspace: string;
  /** The whole environment of a process in these folders: nothing of the machine's leaks in. */
  readonly env: Readonly<Record<string, string>>;
  /** Idempotent. Synchronous, because this process may be exiting. */
  remove(): void;
}

/** The path is short, because that of a socket in it may have 107 characters. */
export function createPrivateFolders(): PrivateFolders {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ide-")));
  const make = (name: string) => {
    mkdirSync(join(folder, name), { mode: 0o700 });
    return join(folder, name);
  };
  const [home, tmp, workspace] = [make("home"), make("tmp"), make("workspace")] as const;
  return {
    folder,
    home,
    tmp,
    workspace,
    env: {
      HOME: home,
      USERPROFILE: home,
      TMPDIR: tmp,
      TMP: tmp,
      TEMP: tmp,
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
    },
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
