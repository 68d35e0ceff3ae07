import { existsSync } from "node:fs";
import type { Machine } from "../../editors/set-up/plan.ts";
import { checkFolder, checkWritable, editText, readText } from "../../editors/set-up/text-file.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { type Change, hashFolder, installedVersion } from "./change.ts";
import { findNamed } from "./choose.ts";
import { installers } from "./installers.ts";
import { createMachine } from "./machine.ts";
import { type Done, lookFor, ofKind, readRecord, targetOf, withoutEdits } from "./record.ts";
import { carryOut } from "./session.ts";

/** Undoes what `install` has changed. */
export async function runUninstall(invocation: Invocation): Promise<number> {
  const { arguments: given, out } = invocation;
  const machine = createMachine(invocation);
  const { done } = readRecord(machine.userFolders);
  const named = findNamed(given.words);
  const wanted = named.length > 0 ? named : installers.filter(({ name }) => done[name]);
  if (wanted.length === 0) out.line("This command has set nothing up here.");
  for (const { displayName } of wanted.filter(({ name }) => !done[name])) {
    out.line(out.paint.plain(`This command has not set up ${displayName} here.`));
  }
  const known = wanted.filter(({ name }) => done[name]);
  if (known.length === 0) return exitCodes.ok;
  const tasks = [];
  for (const { name, displayName: title } of known) {
    tasks.push({ title, ...(await lookFor(title, () => findRemovals(done[name] ?? [], machine))) });
  }
  const afterwards = Object.fromEntries(known.map(({ name }) => [name, []]));
  const isDone = await carryOut(tasks, afterwards, { invocation, machine });
  if (!isDone) return given.has("dry-run") ? exitCodes.ok : exitCodes.failure;
  for (const { title, left } of tasks) {
    out.line(`${out.paint.green("✓")} ${out.paint.plain(`${title} is as it was before.`)}`);
    for (const sentence of left) out.line(`  ${out.paint.yellow("!")} ${out.paint.plain(sentence)}`);
  }
  return exitCodes.ok;
}

/**
 * What takes away what was set up, and what stays, in sentences for people. Changes nothing.
 * @throws InstallError when something of it cannot be taken away
 */
async function findRemovals(done: readonly Done[], machine: Machine) {
  const changes: Change[] = [];
  const left: string[] = [];
  for (const each of done) {
    const ours = done.filter((one) => targetOf(one) === targetOf(each));
    const removal = ours[0] === each ? await findRemoval(each, ours, machine) : undefined;
    if (typeof removal === "string") left.push(removal);
    else if (removal) changes.push(removal);
  }
  return { changes, left };
}

/** A change, or why there is none; undefined where nothing is left. */
type Removal = Change | string | undefined;

const stays = (path: string) => `${path} stays: it has been changed since`;

/** @param ours all entries about the same thing as the first of them */
async function findRemoval(first: Done, ours: readonly Done[], machine: Machine): Promise<Removal> {
  switch (first.kind) {
    case "folder":
      return removeFolder(first.path, ofKind(ours, "folder"));
    case "file":
      return restoreFile(first.path, ofKind(ours, "file"));
    case "extension": {
      if (!existsSync(first.program) || !(await installedVersion(first, machine))) return undefined;
      return { kind: "extension", does: "uninstall", part: { ...first, kind: "extension", file: "" } };
    }
  }
}

function removeFolder(folder: string, ours: readonly (Done & { kind: "folder" })[]): Removal {
  const present = hashFolder(folder);
  if (present === undefined) return undefined;
  if (!ours.some(({ hash }) => hash === present)) return stays(folder);
  checkFolder(folder);
  return { kind: "folder", path: folder, from: undefined, hash: present };
}

function restoreFile(file: string, ours: readonly (Done & { kind: "file" })[]): Removal {
  const text = readText(file);
  if (text === undefined) return undefined;
  const after = editText(file, () => withoutEdits(ours, text));
  if (after === text) return ours.some(({ edit }) => edit.kind === "whole") ? stays(file) : undefined;
  checkWritable(file);
  return { kind: "file", path: file, before: text, after };
}
