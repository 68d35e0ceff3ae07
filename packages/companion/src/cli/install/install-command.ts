import { InstallError, type Machine, type Plan } from "../../editors/set-up/plan.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { wrapWords } from "../terminal/text.ts";
import { findNamed, offer } from "./choose.ts";
import { type Findings, findChanges } from "./find-changes.ts";
import type { Installer } from "./installer.ts";
import { installers } from "./installers.ts";
import { createMachine } from "./machine.ts";
import { type Installed, readRecord } from "./record.ts";
import { carryOut } from "./session.ts";

/** Sets editors up, and switches on IDE mode in the agents' settings. */
export async function runInstall(invocation: Invocation): Promise<number> {
  const { arguments: given, out } = invocation;
  const machine = createMachine(invocation);
  const chosen = given.words.length > 0 ? findNamed(given.words) : await offer(invocation, machine);
  const record = readRecord(machine.userFolders);
  const found: Found[] = [];
  for (const installer of chosen) found.push(await look(installer, record, machine));
  const missing = found.filter(({ findings }) => findings.changes.length > 0);
  for (const each of found.filter((one) => !missing.includes(one))) {
    const { installer } = each;
    if (installer.kind === "command") tellNext(each, "needs no setting", invocation);
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

interface Found {
  readonly installer: Installer;
  readonly plan: Plan;
  readonly findings: Findings;
}

async function look(installer: Installer, record: Installed, machine: Machine): Promise<Found> {
  try {
    const plan = await (await installer.load())(machine);
    return { installer, plan, findings: await findChanges(plan, record.done[installer.name] ?? [], machine) };
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    throw new InstallError(`${installer.displayName}: ${error.message}. Nothing was changed.`);
  }
}

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
    const found = await look(installer, { folders: [], done: {} }, machine).catch(() => undefined);
    if (!found || found.findings.changes.length === 0) continue;
    out.line(`${out.paint.yellow("!")} ${out.paint.plain(`IDE mode is off in ${installer.displayName}.`)}`);
    out.line(`  ${out.paint.plain(`ide-companion install ${installer.name} switches it on.`)}`);
  }
}
