import { cp, mkdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { InstallError, type Machine } from "../../editors/set-up/plan.ts";
import { readText, statsOf } from "../../editors/set-up/text-file.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { messageOf } from "../../system/error-message.ts";
import { withLock } from "../../system/lock-file.ts";
import { type Change, hashFolder, installExtension, missingFolders, uninstallExtension } from "./change.ts";
import { type Installed, readRecord, recordFile, writeRecord } from "./record.ts";

/** Undoes or completes a change. */
interface Made {
  /** @returns sentences about what stays, because it was changed by somebody else in the meantime */
  undo(): Promise<readonly string[]>;
  /** Removes what was kept to undo it. */
  settle?(): Promise<void>;
}

/**
 * Makes changes, all or none, and keeps in the record what is done then.
 * @param done what the record is to say of each editor afterwards; an empty list for nothing
 * @throws InstallError when one of them fails, or would overwrite what was changed since it was shown; then everything
 *   is as it was
 */
export async function applyChanges(
  changes: readonly Change[],
  done: Installed["done"],
  machine: Machine,
): Promise<void> {
  // In a folder that is there anyway: nothing is left of it.
  const lock = machine.userFolders.join(machine.host.home, ".ide-companion-install.lock");
  await withLock(lock, () => applyAll(changes, done, machine));
}

async function applyAll(
  changes: readonly Change[],
  done: Installed["done"],
  machine: Machine,
): Promise<void> {
  checkAllUnchanged(changes);
  const { userFolders } = machine;
  const former = readRecord(userFolders);
  const folders = toFolders(changes, former, recordFile(userFolders));
  // First of all: whatever interrupts what follows, it can be taken away by the record.
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const made: Made[] = [];
  try {
    writeRecord(userFolders, { folders, done: addDone(former.done, done) });
    for (const change of changes) made.push(await make(change, machine));
  } catch (error) {
    const left: string[] = [];
    for (const { undo } of made.toReversed()) left.push(...(await undo()));
    writeRecord(userFolders, former);
    await removeEmpty(folders.filter((folder) => !former.folders.includes(folder)));
    const now = left.length === 0 ? "Everything is as it was." : `All else is as it was. ${left.join(" ")}`;
    throw new InstallError(`${messageOf(error)}. ${now}`);
  }
  for (const { settle } of made) await settle?.();
  const left = Object.entries({ ...former.done, ...done }).filter(([, parts]) => parts.length > 0);
  await finish({ folders, done: Object.fromEntries(left) }, machine);
}

/** What may be there while changes are made: all that was done before, and all that will have been done. */
function addDone(former: Installed["done"], done: Installed["done"]): Installed["done"] {
  const changed = Object.entries(done).map(([name, parts]) => [name, [...parts, ...(former[name] ?? [])]]);
  return { ...former, ...Object.fromEntries(changed) };
}

/** Folders that were made and hold nothing any more go, and with them every trace of this command. */
async function finish(record: Installed, { userFolders }: Machine): Promise<void> {
  const folders = await removeEmpty(record.folders);
  writeRecord(userFolders, { ...record, folders });
  if (Object.keys(record.done).length === 0) await removeEmpty(folders);
}

/** Those that will have been made by this command, outermost first. */
function toFolders(changes: readonly Change[], { folders }: Installed, record: string): readonly string[] {
  const made = changes.flatMap((change) => {
    if (change.kind === "extension") return [];
    return (change.kind === "folder" ? change.from : change.after) === undefined ? [] : [change.path];
  });
  return [...new Set([...folders, ...[record, ...made].flatMap(missingFolders)])];
}

/** @returns those that stay, because something is in them */
async function removeEmpty(folders: readonly string[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const folder of folders.toReversed()) {
    const isGone = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT",
    );
    if (!isGone) left.unshift(folder);
  }
  return left;
}

/** The user may have thought about it for a while. */
function checkAllUnchanged(changes: readonly Change[]): void {
  try {
    for (const change of changes) checkUnchanged(change);
  } catch (error) {
    throw new InstallError(`${messageOf(error)}. Nothing was changed.`);
  }
}

/** @throws InstallError when what is there is not what the user was shown */
function checkUnchanged(change: Change): void {
  if (change.kind === "extension") return;
  const { kind, path: target } = change;
  const isSame = kind === "file" ? readText(target) === change.before : hashFolder(target) === change.hash;
  if (isSame) return;
  throw new InstallError(`${target} has changed in the meantime: run this again`);
}

async function make(change: Change, machine: Machine): Promise<Made> {
  checkUnchanged(change);
  switch (change.kind) {
    case "folder":
      return replaceFolder(change.path, change.from);
    case "file": {
      const { path: file, before, after } = change;
      await write(file, before, after);
      return { undo: () => restore(file, before, after) };
    }
    case "extension": {
      const { does, part } = change;
      await (does === "install" ? installExtension(part, machine) : uninstallExtension(part, machine));
      // Its file may be that of an older version by now: it is not put back.
      return {
        undo: async () => {
          if (does === "install") await uninstallExtension(part, machine);
          return [];
        },
      };
    }
  }
}

/** @throws Error when the file does not hold what it should, or cannot be written; then it is as it was */
function write(file: string, before: string | undefined, after: string | undefined): Promise<void> {
  const bytes = before === undefined ? undefined : Buffer.from(before);
  return writeReviewedFile(file, after ?? null, { before: { bytes } });
}

/** Puts back what was there before, unless somebody else has written to the file since. */
async function restore(
  file: string,
  before: string | undefined,
  after: string | undefined,
): Promise<readonly string[]> {
  if (readText(file) !== after) return [`${file} stays: it has changed in the meantime.`];
  await write(file, after, before);
  return [];
}

/** By names that no editor loads, so that it never sees half of a folder. */
async function replaceFolder(folder: string, from: string | undefined): Promise<Made> {
  const sibling = (name: string) => path.join(path.dirname(folder), `.${path.basename(folder)}.${name}`);
  const [fresh, old] = [sibling("new"), sibling("old")];
  const remove = (what: string) => rm(what, { recursive: true, force: true });
  const isOld = statsOf(folder) !== undefined;
  const undo = async () => {
    await remove(fresh);
    if (!isOld) await remove(folder);
    else if (statsOf(old)) {
      await remove(folder);
      await rename(old, folder);
    }
    return [];
  };
  try {
    // What a call that was interrupted has left.
    for (const rest of [fresh, old]) await remove(rest);
    if (from !== undefined) await cp(from, fresh, { recursive: true, dereference: true });
    if (isOld) await rename(folder, old);
    if (from !== undefined) await rename(fresh, folder);
  } catch (error) {
    await undo();
    throw error;
  }
  return { undo, settle: () => remove(old) };
}
