import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../../../agents/index.ts";
import { pidIsAlive } from "../../../discovery/index.ts";
import { safeName } from "../../../safe-text.ts";

const prefix = "ide-companion-proposals-";
const pattern = new RegExp(`[\\\\/]${prefix}\\d+-\\w{6}(?:[\\\\/]|$)`);

/** Where proposals lie as files, for editors that open nothing else: outside of the user's tree, and private. */
export interface ProposalFolder {
  /**
   * Writes a proposal under the name of its file, as far as that is harmless, in a folder of its own.
   * @returns its absolute path
   * @throws Error of the file system
   */
  write(id: string, filePath: string, text: string): string;
  remove(id: string): void;
  /** Whether a path is that of a proposal, of this companion or of another one. */
  holds(file: string): boolean;
  /** Synchronous, for exit handlers; never throws; may be repeated. */
  close(): void;
}

/** Nothing is made before the first proposal. What killed companions have left is swept away. */
export function createProposalFolder(host: Host, isAlive = pidIsAlive): ProposalFolder {
  const base = baseFolder(host);
  sweep(base, isAlive);
  let folder: string | undefined;

  function close(): void {
    process.off("exit", close);
    if (folder !== undefined) removeFolder(folder);
    folder = undefined;
  }

  return {
    write(id, filePath, text) {
      // Systems clear their temporary folders, and then the name is anybody's.
      if (folder === undefined || !isOwnFolder(folder)) {
        // Made with 0700, under a name that nobody can foresee.
        folder = realpathSync(mkdtempSync(path.join(base, `${prefix}${process.pid}-`)));
        process.off("exit", close).on("exit", close);
      }
      const file = path.join(folder, id, safeName(path.basename(filePath)));
      mkdirSync(path.dirname(file), { mode: 0o700 });
      writeFileSync(file, text, { flag: "wx", mode: 0o600 });
      return file;
    },
    remove(id) {
      if (folder !== undefined) removeFolder(path.join(folder, id));
    },
    holds: (file) => pattern.test(file),
    close,
  };
}

/** The user's own folder for what lasts as long as a session, where the system has one. */
function baseFolder({ env, tmp }: Host): string {
  const given = env.XDG_RUNTIME_DIR;
  return given && path.isAbsolute(given) && isOwnFolder(given) ? given : tmp;
}

function sweep(base: string, isAlive: (pid: number) => boolean): void {
  for (const name of namesIn(base)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    // One with our own number is a dead one's: ours is made later.
    const isStale = !Number.isNaN(pid) && (pid === process.pid || !isAlive(pid));
    const folder = path.join(base, name);
    if (isStale && isOwnFolder(folder)) removeFolder(folder);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // where there is no such folder, nothing is left in it
  }
}

function isOwnFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next start sweeps it.
  }
}
