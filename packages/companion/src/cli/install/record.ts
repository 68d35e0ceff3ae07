import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { Edit } from "../../editors/set-up/edits/edit.ts";
import { InstallError } from "../../editors/set-up/plan.ts";
import type { UserFolders } from "../../editors/set-up/user-folders.ts";
import { writePrivateFile } from "../../system/private-file.ts";
import { FormerText } from "./former-text.ts";

/** One thing that was done, and what it takes to undo it. */
export const Done = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("folder"), path: z.string(), hash: z.string() }),
  z.object({
    kind: z.literal("file"),
    path: z.string(),
    edit: Edit,
    /** Of the text with the edit in it. */
    hash: z.string(),
    /** Null when there was no file. */
    before: FormerText.nullable(),
  }),
  z.object({ kind: z.literal("extension"), program: z.string(), id: z.string(), version: z.string() }),
]);
export type Done = z.infer<typeof Done>;

/** What this command has done on this machine. */
const Installed = z.object({
  /** Folders that were not there before, outermost first. */
  folders: z.array(z.string()).readonly(),
  /** By the name of the editor. */
  done: z.record(z.string(), z.array(Done).readonly()),
});
export type Installed = z.infer<typeof Installed>;

/** Where it is kept. */
export const recordFile = (userFolders: UserFolders): string =>
  userFolders.join(userFolders.state, "ide-companion", "installed.json");

/** @throws InstallError when it is damaged */
export function readRecord(userFolders: UserFolders): Installed {
  const file = recordFile(userFolders);
  if (!existsSync(file)) return { folders: [], done: {} };
  try {
    return Installed.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new InstallError(`${file}, which says what was set up, is damaged`);
  }
}

/** For us alone: it holds what stood in the user's files in place of what was put there. An empty one is removed. */
export function writeRecord(userFolders: UserFolders, record: Installed): void {
  const file = recordFile(userFolders);
  if (Object.keys(record.done).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
}
