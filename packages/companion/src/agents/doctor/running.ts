import path from "node:path";
import { findConnected } from "../../system/processes/process-details.ts";
import { lineageOf, type ProcessInfo, type ProcessTable } from "../../system/processes/process-table.ts";
import type { AgentCli, AgentIdentity } from "../agent.ts";

/** The processes of a CLI, without those that it has started itself. */
export function findCliProcesses(
  processes: ProcessTable,
  agent: Pick<AgentIdentity, "command">,
  cli: Pick<AgentCli, "packageName">,
): readonly ProcessInfo[] {
  const isCli = (process: ProcessInfo) => isProgram(process, agent.command, cli.packageName);
  return [...processes.values()].filter(
    (process) => isCli(process) && !lineageOf(processes, process.parentPid).some((above) => isCli(above)),
  );
}

/**
 * Who of the CLIs is connected to a companion: the process that holds the connection may be one that it has started.
 * @param port of the companion; nobody is connected where there is none
 */
export async function findConnectedClis(
  port: number | undefined,
  processes: ProcessTable,
  platform: NodeJS.Platform,
): Promise<(pid: number) => boolean> {
  const connected = port && (await findConnected(port, [...processes.keys()], platform));
  const lineages = [...(connected || [])].map((pid) => lineageOf(processes, pid));
  return (pid) => lineages.some((lineage) => lineage.some((above) => above.pid === pid));
}

/** By its name, or by the package that its script lies in. */
function isProgram({ command }: ProcessInfo, name: string, packageName: string): boolean {
  const words = command.replaceAll("\\", "/").split(" ");
  const isNode = /^(node|bun)(\.exe)?$/i.test(path.posix.basename(words[0] ?? "").replaceAll('"', ""));
  const script = (isNode ? words.slice(1).find((word) => !word.startsWith("-")) : words[0]) ?? "";
  const base = path.posix.basename(script.replaceAll('"', "")).replace(/\.(m?js|exe)$/, "");
  return base === name || (isNode && script.includes(`/node_modules/${packageName}/`));
}
