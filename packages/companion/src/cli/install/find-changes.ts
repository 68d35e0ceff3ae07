import { lstatSync } from "node:fs";
import path from "node:path";
import { type Edit, putIn, takeOut } from "../../editors/set-up/edits/edit.ts";
import {
  type ExtensionPart,
  InstallError,
  type Machine,
  type Part,
  type Plan,
} from "../../editors/set-up/plan.ts";
import { checkFolder, checkWritable, readText, statsOf } from "../../editors/set-up/text-file.ts";
import type { Change } from "./change.ts";
import { installedVersion } from "./extension.ts";
import { hashFolder, hashText } from "./folder.ts";
import { toFormerText, withoutEdit } from "./former-text.ts";
import type { Done } from "./record.ts";

/** What is to be changed, and what is done once it was. */
export interface Findings {
  readonly changes: readonly Change[];
  readonly done: readonly Done[];
}

/**
 * Compares a plan with the machine. Changes nothing.
 * @param former what an earlier call has done for the same editor
 * @throws InstallError when a part cannot be set up
 */
export async function findChanges(plan: Plan, former: readonly Done[], machine: Machine): Promise<Findings> {
  const findings: Findings[] = [];
  for (const part of plan.parts) findings.push(await compare(part, former, machine));
  // What an earlier version has set up and this one does not.
  const gone = former.filter((done) => !plan.parts.some((part) => isSame(part, done)));
  return {
    changes: findings.flatMap(({ changes }) => changes),
    done: [...findings.flatMap(({ done }) => done), ...gone],
  };
}

function compare(part: Part, former: readonly Done[], machine: Machine): Findings | Promise<Findings> {
  const known = former.find((done) => isSame(part, done));
  switch (part.kind) {
    case "folder":
      return compareFolder(part, known);
    case "file":
      return compareFile(part, known);
    case "extension":
      return compareExtension(part, known, machine);
  }
}

function isSame(part: Part, done: Done): boolean {
  if (part.kind === "extension") return done.kind === "extension" && done.program === part.program;
  return done.kind === part.kind && done.path === part.path;
}

function compareFolder(part: Part & { kind: "folder" }, known: Done | undefined): Findings {
  const { path: folder, from } = part;
  const wanted = hashFolder(from);
  if (wanted === undefined) throw new InstallError(`this ide-companion was packed without ${from}`);
  const present = hashFolder(folder);
  const isOurs = known?.kind === "folder" && known.hash === present;
  if (present === wanted) return { changes: [], done: known ? [known] : [] };
  if (isTaken(folder) && !isOurs) {
    const why = known
      ? "has been changed since it was put there"
      : "is there already, and not by this command";
    throw new InstallError(`${folder} ${why}: take it away, and call this again`);
  }
  checkFolder(path.dirname(folder));
  return {
    changes: [{ kind: "folder", path: folder, from, hash: present }],
    done: [{ kind: "folder", path: folder, hash: wanted }],
  };
}

/** Also by a link that leads nowhere. */
const isTaken = (folder: string) => {
  const parent = statsOf(path.dirname(folder));
  return parent?.isDirectory() && lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
};

function compareFile(part: Part & { kind: "file" }, known: Done | undefined): Findings {
  const { path: file, edit } = part;
  const before = readText(file);
  const after = attempt(file, () => putIn(edit, before, known?.kind === "file" ? known.edit : undefined));
  if (after === before) return { changes: [], done: known ? [known] : [] };
  checkWritable(file);
  const original = before === undefined ? undefined : attempt(file, () => toOriginal(before, edit, known));
  const former = original === undefined ? null : toFormerText(edit, original, after);
  return {
    changes: [{ kind: "file", path: file, before, after }],
    done: [{ kind: "file", path: file, edit, hash: hashText(after), before: former }],
  };
}

/** What the file would hold if nothing had ever been set up. */
function toOriginal(text: string, edit: Edit, known: Done | undefined): string | undefined {
  if (known?.kind === "file") return withoutEdit(known, text);
  return edit.kind === "block" ? takeOut(edit, text, text) : text;
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new InstallError(`${file} cannot be changed: ${error instanceof Error ? error.message : error}`);
  }
}

async function compareExtension(
  part: ExtensionPart,
  known: Done | undefined,
  machine: Machine,
): Promise<Findings> {
  const version = await installedVersion(part, machine);
  if (version === part.version) return { changes: [], done: known ? [known] : [] };
  return {
    changes: [{ kind: "extension", does: "install", part }],
    done: [{ kind: "extension", program: part.program, id: part.id, version: part.version }],
  };
}
