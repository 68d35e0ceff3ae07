import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { diffWordsWithSpace } from "diff";
import { z } from "zod";
import { Edit, takeOut } from "../../editors/set-up/edits/edit.ts";
import { pickValues } from "../../editors/set-up/edits/json-values.ts";
import { InstallError, type Part } from "../../editors/set-up/plan.ts";
import type { UserFolders } from "../../editors/set-up/user-folders.ts";
import { hashOf } from "../../files/text-hash.ts";
import { writePrivateFile } from "../../system/private-file.ts";

/** What a text held before an edit, where the edit has changed it: the rest, such as keys, is not ours to copy. */
const FormerText = z.object({
  /** What stood in place of pieces of the text with the edit in it; offsets and lengths in UTF-16 units. */
  pieces: z.array(z.object({ offset: z.int(), length: z.int(), text: z.string() })).readonly(),
  /** The values that an edit of JSON has replaced, as JSON, for a text that was changed since. */
  values: z.string(),
});

type FormerText = z.infer<typeof FormerText>;

/** @param after the text with the edit in it */
export function toFormerText(edit: Edit, before: string, after: string): FormerText {
  const pieces: { offset: number; length: number; text: string }[] = [];
  let offset = 0;
  for (const { added, removed, value } of diffWordsWithSpace(after, before)) {
    if (added) pieces.push({ offset, length: 0, text: value });
    else if (removed) pieces.push({ offset, length: value.length, text: "" });
    if (!added) offset += value.length;
  }
  return { pieces, values: edit.kind === "json" ? pickValues(edit.values, before) : "" };
}

/**
 * A text without what was edited into it: as it was, unless somebody has changed it since.
 * @param done the edits that the file may hold, each of which was made of the same original
 * @returns undefined when nothing is left of what was never there
 */
export function withoutEdits(done: readonly (Done & { kind: "file" })[], text: string): string | undefined {
  const exact = done.find(({ hash }) => hash === hashOf(text));
  if (!exact) {
    return done.reduce<string | undefined>(
      (rest, { edit, before }) => (rest === undefined ? rest : takeOut(edit, rest, before?.values)),
      text,
    );
  }
  if (exact.before === null) return undefined;
  return exact.before.pieces.reduceRight(
    (rest, { offset, length, text: old }) => rest.slice(0, offset) + old + rest.slice(offset + length),
    text,
  );
}

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

/** What a part of a plan and what was done for it have in common, and nothing else that is done for the editor. */
export const targetOf = (one: Done | Part): string =>
  `${one.kind} ${one.kind === "extension" ? one.program : one.path}`;

/** Those of one kind. */
export const ofKind = <Kind extends Done["kind"]>(done: readonly Done[], kind: Kind) =>
  done.filter((one): one is Done & { kind: Kind } => one.kind === kind);

/** What this command has done on this machine. */
const Installed = z.object({
  /** Folders that were not there before, outermost first. */
  folders: z.array(z.string()).readonly(),
  /**
   * By the name of the editor. While a call is under way, and once it was interrupted, a thing has an entry for what the
   * call does and one for what was done before: either may be there.
   */
  done: z.record(z.string(), z.array(Done).readonly()),
});

export type Installed = z.infer<typeof Installed>;

/** Looks at one editor. @throws InstallError that names it */
export async function lookFor<Found>(displayName: string, look: () => Promise<Found>): Promise<Found> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    throw new InstallError(`${displayName}: ${error.message}. Nothing was changed.`);
  }
}

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
