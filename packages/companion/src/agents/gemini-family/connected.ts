import { hasTerminal } from "../../system/processes/process-details.ts";
import { lineageOf, type ProcessInfo, readProcessTable } from "../../system/processes/process-table.ts";
import type { RunningCli } from "../hooks.ts";

/**
 * The CLI that runs a process.
 * @param processes of CLIs that are connected @param program the name of one that keeps no connection
 */
export async function findConnected(
  pid: number,
  processes: readonly number[],
  program: string | null,
): Promise<RunningCli | undefined> {
  if (processes.length === 0 && program === null) return undefined; // a table of all processes costs time
  const lineage = lineageOf(await readProcessTable(), pid);
  const isCli = ({ pid, name }: ProcessInfo) =>
    processes.includes(pid) || name.replace(/\.exe$/i, "") === program;
  const cli = lineage.find(isCli);
  return cli && { ...cli, hasTerminal: (await hasTerminal(cli.pid)) !== false };
}
