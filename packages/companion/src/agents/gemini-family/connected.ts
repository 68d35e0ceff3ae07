import { hasTerminal } from "../../system/processes/process-details.ts";
import { lineageOf, readProcessTable } from "../../system/processes/process-table.ts";

/**
 * The command line of the CLI that runs a process, where it is one of these and its user sees what it says.
 * @param processes of CLIs that are connected
 */
export async function findConnected(pid: number, processes: readonly number[]): Promise<string | undefined> {
  const lineage = processes.length > 0 ? lineageOf(await readProcessTable(), pid) : [];
  const cli = lineage.find((one) => processes.includes(one.pid));
  return cli && (await hasTerminal(cli.pid)) !== false ? cli.command : undefined;
}
