import { existsSync } from "node:fs";
import { InstallError, type Machine } from "../../editors/set-up/plan.ts";
import { checkFolder, checkWritable, readText } from "../../editors/set-up/text-file.ts";
import type { Change } from "./change.ts";
import { installedVersion } from "./extension.ts";
import { hashFolder } from "./folder.ts";
import { withoutEdit } from "./former-text.ts";
import type { Done } from "./record.ts";

export interface Removals {
  readonly changes: readonly Change[];
  /** What stays, and why: sentences for people. */
  readonly left: readonly string[];
}

/**
 * What takes away what was set up. Changes nothing.
 * @throws InstallError when something of it cannot be taken away
 */
export async function findRemovals(done: readonly Done[], machine: Machine): Promise<Removals> {
  const removals: Removals[] = [];
  for (const each of done) removals.push(await findRemoval(each, machine));
  return {
    changes: removals.flatMap(({ changes }) => changes),
    left: removals.flatMap(({ left }) => left),
  };
}

const nothing: Removals = { changes: [], left: [] };
const only = (change: Change): Removals => ({ changes: [change], left: [] });

async function findRemoval(done: Done, machine: Machine): Promise<Removals> {
  switch (done.kind) {
    case "folder":
      return removeFolder(done);
    case "file":
      return restoreFile(done);
    case "extension": {
      if (!existsSync(done.program)) return nothing;
      if ((await installedVersion(done, machine)) === undefined) return nothing;
      return only({ kind: "extension", does: "uninstall", part: { ...done, kind: "extension", file: "" } });
    }
  }
}

function removeFolder({ path: folder, hash }: Done & { kind: "folder" }): Removals {
  const present = hashFolder(folder);
  if (present === undefined) return nothing;
  if (present !== hash) return { changes: [], left: [`${folder} stays: it has been changed since`] };
  checkFolder(folder);
  return only({ kind: "folder", path: folder, from: undefined, hash });
}

function restoreFile(done: Done & { kind: "file" }): Removals {
  const { path: file } = done;
  const text = readText(file);
  if (text === undefined) return nothing;
  const after = takeOutOf(file, () => withoutEdit(done, text));
  if (after === text) return nothing;
  checkWritable(file);
  return only({ kind: "file", path: file, before: text, after });
}

function takeOutOf<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new InstallError(`${file} cannot be changed: ${error instanceof Error ? error.message : error}`);
  }
}
