import { setTimeout as wait } from "node:timers/promises";
import type { Agent, AgentWithCli, LiveFinding } from "../../agents/agent.ts";
import { agents, discoveryClients } from "../../agents/agents.ts";
import {
  type DeadFinding,
  findCompanions,
  isSameCompanion,
  onePerCompanion,
} from "../../agents/discovery/find-companions.ts";
import { type HealthReport, readHealth } from "../../client/health.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import { createLoopbackFetch, type LoopbackFetch } from "../../transport/loopback.ts";

/** How long a companion may take to tell of itself, in milliseconds. */
const patience = 1000;

/** Everything that is to be known about companions on this machine. */
export interface Survey {
  readonly companions: readonly SurveyedCompanion[];
  readonly dead: readonly DeadFinding[];
}

/** One companion, by all of its discovery files together. */
export interface SurveyedCompanion {
  readonly port: number;
  /** Never empty. */
  readonly findings: readonly LiveFinding[];
  /** Those that it serves. */
  readonly agents: readonly Agent[];
  /** What it says of itself, or why it does not. */
  readonly health: HealthReport | { readonly status: "silent"; readonly reason: string };
}

export async function survey(host: Host): Promise<Survey> {
  // Our own files lead to every companion of ours, whatever agents it serves.
  const findings = await findCompanions(host, discoveryClients);
  const live = findings.filter((finding) => finding.result === "live");
  const fetch = createLoopbackFetch();
  try {
    const companions = await Promise.all(
      onePerCompanion(live).map((first) => examine(first, live, fetch, host)),
    );
    return {
      companions: companions.toSorted((a, b) => a.port - b.port),
      dead: findings.filter((finding) => finding.result !== "live"),
    };
  } finally {
    fetch.close();
  }
}

/** It may have a port for each family of agents: the first that tells of it counts. */
async function examine(
  first: LiveFinding,
  live: readonly LiveFinding[],
  fetch: LoopbackFetch,
  host: Host,
): Promise<SurveyedCompanion> {
  const findings = live.filter((finding) => isSameCompanion(finding, first));
  const served = findServed(first, findings, host);
  const ports = new Map(findings.map(({ port }) => [port, ""]));
  for (const { port, token } of findings) ports.set(port, ports.get(port) || (token ?? ""));
  let reason = "";
  for (const [port, token] of ports) {
    try {
      const health = await readHealth({ port, token, fetch, signal: AbortSignal.timeout(patience) });
      return { port, findings, agents: await served, health };
    } catch (error) {
      reason ||= explain(error);
    }
  }
  return { port: first.port, findings, agents: await served, health: { status: "silent", reason } };
}

/** By their files, or those whose files lead to no port, as they find it themselves. */
async function findServed(
  first: LiveFinding,
  findings: readonly LiveFinding[],
  host: Host,
): Promise<readonly Agent[]> {
  const isServed = async (agent: AgentWithCli): Promise<boolean> => {
    if (findings.some((finding) => finding.agent === agent)) return true;
    if (agent.discoveryFolders(host).length > 0) return false;
    const { isServedBy } = await agent.loadCli();
    const late = wait(patience, false, { ref: false });
    return isServedBy === undefined ? false : Promise.race([isServedBy(first, host), late]);
  };
  const served = await Promise.all(agents.map(isServed));
  return agents.filter((_, index) => served[index]);
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return "does not answer within a second";
  return messageOf(error);
}
