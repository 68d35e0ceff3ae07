import path from "node:path";
import type { WrittenLog } from "../../core/written/written-log.ts";
import { hashOf } from "../../files/text-hash.ts";
import { realPathOf } from "../../files/workspace-path.ts";
import { workTreeOf } from "../../system/git-folders.ts";
import { ensureOwnedFolder, writePrivateFile } from "../../system/private-file.ts";

/** Where commands run. */
export interface Place {
  /** Absolute path, all links followed: of the work tree, or of a folder outside of git. */
  readonly top: string;
  readonly isGit: boolean;
  /** Absolute path of our private folder for it. */
  readonly own: string;
}

/** @param folder absolute path */
export async function placeOf(folder: string, log: WrittenLog): Promise<Place> {
  const real = await realPathOf(folder);
  const tree = workTreeOf(real);
  const top = tree ?? real;
  const own = path.join(log.folder, "trees", hashOf(top).slice(0, 16));
  return { top, isGit: tree !== undefined, own };
}

/** The file that says that a snapshot is wanted. */
export const requestIn = ({ own }: Place): string => path.join(own, "request");

/** @throws Error of the file system, or FolderError */
export function requestSnapshot(place: Place): void {
  ensureOwnedFolder(place.own);
  writePrivateFile(requestIn(place), "");
}
