import { InstallError } from "../../editors/set-up/plan.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { findNamed } from "./choose.ts";
import { findRemovals } from "./find-removals.ts";
import { installers } from "./installers.ts";
import { createMachine } from "./machine.ts";
import { readRecord } from "./record.ts";
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
  for (const { name, displayName } of known) {
    tasks.push({ title: displayName, ...(await look(name, displayName)) });
  }
  const afterwards = Object.fromEntries(known.map(({ name }) => [name, []]));
  const isDone = await carryOut(tasks, afterwards, { invocation, machine });
  if (!isDone) return given.has("dry-run") ? exitCodes.ok : exitCodes.failure;
  for (const { title, left } of tasks) {
    out.line(`${out.paint.green("✓")} ${out.paint.plain(`${title} is as it was before.`)}`);
    for (const sentence of left) out.line(`  ${out.paint.yellow("!")} ${out.paint.plain(sentence)}`);
  }
  return exitCodes.ok;

  async function look(name: string, displayName: string) {
    try {
      return await findRemovals(done[name] ?? [], machine);
    } catch (error) {
      if (!(error instanceof InstallError)) throw error;
      throw new InstallError(`${displayName}: ${error.message}. Nothing was changed.`);
    }
  }
}
