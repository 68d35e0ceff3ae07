import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import path from "node:path";

/** A user id; null on Windows, which has neither user ids nor modes. */
export type Uid = number | null;

/** Why a folder of ours cannot be used: a sentence that names it and the remedy. */
export class FolderError extends Error {
  override readonly name = "FolderError";
}

export const ownUid = (): Uid => process.getuid?.() ?? null;

/**
 * Makes a folder ours alone (0700), with all that is missing above it.
 * @throws FolderError if it is a symlink, not a folder, or another user's: its owner could replace
 *   our files and send the agent CLIs elsewhere.
 */
export function ensureOwnedFolder(folder: string, uid: Uid = ownUid()): void {
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const stats = lstatSync(folder);
  refuseForeign(folder, stats, uid);
  // Also after our own mkdir, whose mode the umask may have cut.
  if (uid !== null && (stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

function refuseForeign(folder: string, stats: Stats, uid: Uid): void {
  if (stats.isSymbolicLink()) {
    throw new FolderError(
      `${folder} is a symlink, and must be a folder of yours. Remove it and start again.`,
    );
  }
  if (!stats.isDirectory()) {
    throw new FolderError(`${folder} is a file, and must be a folder of yours. Remove it and start again.`);
  }
  if (uid !== null && stats.uid !== uid) {
    throw new FolderError(
      `${folder} belongs to user ${stats.uid}, and must belong to you (user ${uid}). ` +
        "Have it removed, or set TMPDIR to your own folder, for the companion and for the agent CLIs.",
    );
  }
}
