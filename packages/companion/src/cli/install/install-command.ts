import { lstatSync } from "node:fs";
import path from "node:path";
import { type Edit, putIn, takeOut, withFormer } from "../../editors/set-up/edits/edit.ts";
import {
  type ExtensionPart,
  InstallError,
  type Machine,
  type Part,
  type Plan,
} from "../../editors/set-up/plan.ts";
import { checkFolder, checkWritable, editText, readText, statsOf } from "../../editors/set-up/text-file.ts";
import { hashOf } from "../../files/text-hash.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { wrapWords } from "../terminal/text.ts";
import { type Change, hashFolder, installedVersion } from "./change.ts";
import { findNamed, offer } from "./choose.ts";
import { type Installer, installers } from "./installers.ts";
import { createMachine } from "./machine.ts";
import {
  type Done,
  type Installed,
  lookFor,
  ofKind,
  readRecord,
  targetOf,
  toFormerText,
  withoutEdits,
} from "./record.ts";
import { carryOut } from "./session.ts";

/** Sets editors up, and switches on IDE mode in the agents' settings. */
export async function runInstall(invocation: Invocation): Promise<number> {
  const { arguments: given, out } = invocation;
  const machine = { ...createMachine(invocation), hooks: !given.has("no-hooks") };
  const chosen = given.words.length > 0 ? findNamed(given.words) : await offer(invocation, machine);
  const { done: former } = readRecord(machine.userFolders);
  const found: Found[] = [];
  for (const installer of chosen) found.push(await look(installer, former, machine));
  const missing = found.filter(({ findings }) => findings.changes.length > 0);
  for (const each of found.filter((one) => !missing.includes(one))) {
    const { installer } = each;
    if (installer.kind === "command" && each.plan.parts.length === 0)
      tellNext(each, "needs no setting", invocation);
    else out.line(out.paint.plain(`${installer.displayName} is set up already.`));
  }
  if (missing.length === 0) return exitCodes.ok;
  const tasks = missing.map(({ installer, findings }) => ({ title: installer.displayName, ...findings }));
  const done = Object.fromEntries(missing.map(({ installer, findings }) => [installer.name, findings.done]));
  const isDone = await carryOut(tasks, done, { invocation, machine });
  if (!isDone) return given.has("dry-run") ? exitCodes.ok : exitCodes.failure;
  for (const each of missing) tellNext(each, "is set up", invocation);
  await tellOfAgents(chosen, machine, invocation);
  return exitCodes.ok;
}

/** What is to be changed, and what is done once it was. */
interface Findings {
  readonly changes: readonly Change[];
  readonly done: readonly Done[];
}

/**
 * Compares a plan with the machine. Changes nothing.
 * @param former what an earlier call has done for the same editor
 * @throws InstallError when a part cannot be set up
 */
async function findChanges(plan: Plan, former: readonly Done[], machine: Machine): Promise<Findings> {
  const findings: Findings[] = [];
  for (const part of plan.parts) findings.push(await compare(part, former, machine));
  // What an earlier version has set up and this one does not.
  const present = plan.parts.map(targetOf);
  const gone = former.filter((done) => !present.includes(targetOf(done)));
  return {
    changes: findings.flatMap(({ changes }) => changes),
    done: [...findings.flatMap(({ done }) => done), ...gone],
  };
}

const look = (installer: Installer, done: Installed["done"], machine: Machine) =>
  lookFor(installer.displayName, async () => {
    const plan = await (await installer.load())(machine);
    return { installer, plan, findings: await findChanges(plan, done[installer.name] ?? [], machine) };
  });

type Found = Awaited<ReturnType<typeof look>>;

function tellNext({ installer, plan }: Found, what: string, { out }: Invocation): void {
  out.line(`${out.paint.green("✓")} ${out.paint.plain(`${installer.displayName} ${what}.`)}`);
  for (const sentence of plan.next) {
    for (const line of wrapWords(sentence, width)) out.line(`  ${out.paint.plain(line)}`);
  }
}

const width = 78;

/** An editor alone is not enough: a CLI looks for it in IDE mode only. */
async function tellOfAgents(
  chosen: readonly Installer[],
  machine: Machine,
  { out }: Invocation,
): Promise<void> {
  const others = installers.filter(({ kind, programs }) => kind === "agent" && programs.some(machine.find));
  for (const installer of others.filter((each) => !chosen.includes(each))) {
    // Settings that cannot be read are the doctor's.
    const found = await look(installer, {}, { ...machine, hooks: false }).catch(() => undefined);
    if (!found || found.findings.changes.length === 0) continue;
    out.line(`${out.paint.yellow("!")} ${out.paint.plain(`IDE mode is off in ${installer.displayName}.`)}`);
    out.line(`  ${out.paint.plain(`ide-companion install ${installer.name} switches it on.`)}`);
  }
}

function compare(part: Part, former: readonly Done[], machine: Machine): Findings | Promise<Findings> {
  const known = former.filter((done) => targetOf(done) === targetOf(part));
  switch (part.kind) {
    case "folder":
      return compareFolder(part, ofKind(known, "folder"));
    case "file":
      return compareFile(part, ofKind(known, "file"));
    case "extension":
      return compareExtension(part, ofKind(known, "extension"), machine);
  }
}

type Known<Kind extends Done["kind"]> = readonly (Done & { kind: Kind })[];

function compareFolder(part: Part & { kind: "folder" }, known: Known<"folder">): Findings {
  const { path: folder, from } = part;
  const wanted = hashFolder(from);
  if (wanted === undefined) throw new InstallError(`this ide-companion was packed without ${from}`);
  const present = hashFolder(folder);
  if (present === wanted) return { changes: [], done: known };
  if (isTaken(folder) && !known.some(({ hash }) => hash === present)) {
    const why =
      known.length > 0
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

function compareFile(part: Part & { kind: "file" }, known: Known<"file">): Findings {
  const { path: file, edit } = part;
  const before = readText(file);
  const edits = known.map((one) => one.edit);
  const after = editText(file, () => putIn(edit, before, edits));
  if (after === before) return { changes: [], done: known };
  checkWritable(file);
  const original = before === undefined ? undefined : editText(file, () => toOriginal(before, edit, known));
  // A plan leaves out what is set, also by an earlier call.
  const made = withFormer(edit, edits, after);
  const former = original === undefined ? null : toFormerText(made, original, after);
  return {
    changes: [{ kind: "file", path: file, before, after }],
    done: [{ kind: "file", path: file, edit: made, hash: hashOf(after), before: former }],
  };
}

/** What the file would hold if nothing had ever been set up. */
function toOriginal(text: string, edit: Edit, known: Known<"file">): string | undefined {
  if (known.length > 0) return withoutEdits(known, text);
  return edit.kind === "block" ? takeOut(edit, text, text) : text;
}

async function compareExtension(
  part: ExtensionPart,
  known: Known<"extension">,
  machine: Machine,
): Promise<Findings> {
  const version = await installedVersion(part, machine);
  if (version === part.version) return { changes: [], done: known };
  return {
    changes: [{ kind: "extension", does: "install", part }],
    done: [{ kind: "extension", program: part.program, id: part.id, version: part.version }],
  };
}
