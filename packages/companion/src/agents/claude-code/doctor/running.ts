import { holds } from "../../../files/workspace-path.ts";
import { readProcessDetails } from "../../../system/processes/process-details.ts";
import type { ProcessTable } from "../../../system/processes/process-table.ts";
import type { Agent } from "../../agent.ts";
import type { CliPackage } from "../../doctor/program.ts";
import { findCliProcesses, findConnectedClis } from "../../doctor/running.ts";
import type { Step } from "../../doctor/step.ts";
import type { Search } from "./search.ts";
import { note, ok } from "./steps.ts";

interface Place {
  readonly agent: Agent;
  readonly cli: CliPackage;
  /** Absolute. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly processes: ProcessTable;
  readonly chosen: Search["chosen"];
}

/** The CLIs that run here already. One that has found no companion within 30 s looks no more, until the user says so. */
export async function examineRunning(place: Place): Promise<readonly Step[]> {
  const { agent, cli, folder, platform, processes, chosen } = place;
  const candidates = findCliProcesses(processes, agent, cli);
  const details = await readProcessDetails(
    candidates.map(({ pid }) => pid),
    platform,
  );
  const here = candidates.filter(({ pid }) => {
    const own = details.get(pid)?.folder;
    return own !== undefined && holds([folder], own);
  });
  if (here.length === 0) return [];
  const isConnected = await findConnectedClis(chosen?.content.port, processes, platform);
  const evidence = here.map(({ pid, command }) => {
    if (isConnected(pid)) return `process ${pid} is connected`;
    if (/\s(-p|--print)(\s|$)/.test(command)) return `process ${pid} prints one answer, and never connects`;
    return `process ${pid} is not connected, and looks for an editor only for 30 s: type /ide in it`;
  });
  return [
    here.every(({ pid }) => isConnected(pid)) ? ok("running", ...evidence) : note("running", ...evidence),
  ];
}
