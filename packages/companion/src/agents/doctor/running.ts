import path from "node:path";
import { lineageOf, type ProcessInfo, type ProcessTable } from "../../system/processes/process-table.ts";
import type { AgentIdentity } from "../agent.ts";
import type { AgentCli } from "../agent-cli.ts";

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

/** By its name, or by the package that its script lies in. */
function isProgram({ command }: ProcessInfo, name: string, packageName: string): boolean {
  const words = command.replaceAll("\\", "/").split(" ");
  const isNode = /^(node|bun)(\.exe)?$/i.test(path.posix.basename(words[0] ?? "").replaceAll('"', ""));
  const script = (isNode ? words.slice(1).find((word) => !word.startsWith("-")) : words[0]) ?? "";
  const base = path.posix.basename(script.replaceAll('"', "")).replace(/\.(m?js|exe)$/, "");
  return base === name || (isNode && script.includes(`/node_modules/${packageName}/`));
}
