import type { Agent } from "../../agents/agent.ts";
import type { HealthReport } from "../../agents/gemini-family/contract/health.ts";
import { type DeadFinding, findCompanions, type LiveFinding } from "../../client/find-companions.ts";
import { readHealth } from "../../client/health.ts";
import { createLoopbackFetch, type LoopbackFetch } from "../../client/loopback-fetch.ts";
import type { Host } from "../../system/host.ts";

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
  /** Never empty; all with the same port. */
  readonly findings: readonly LiveFinding[];
  /** What it says of itself, or why it does not. */
  readonly health: HealthReport | { readonly status: "silent"; readonly reason: string };
}

export async function survey(agents: readonly Agent[], host: Host): Promise<Survey> {
  const findings = await findCompanions(host, agents);
  const live = findings.filter((finding) => finding.result === "live");
  const fetch = createLoopbackFetch();
  try {
    const ports = [...new Set(live.map(({ content }) => content.port))].toSorted((a, b) => a - b);
    const companions = ports.map((port) =>
      examine(
        port,
        live.filter(({ content }) => content.port === port),
        fetch,
      ),
    );
    return {
      companions: await Promise.all(companions),
      dead: findings.filter((finding) => finding.result !== "live"),
    };
  } finally {
    fetch.close();
  }
}

async function examine(
  port: number,
  findings: readonly LiveFinding[],
  fetch: LoopbackFetch,
): Promise<SurveyedCompanion> {
  const token = findings.find(({ content }) => content.authToken)?.content.authToken ?? "";
  try {
    const health = await readHealth({ port, token, fetch, signal: AbortSignal.timeout(patience) });
    return { port, findings, health };
  } catch (error) {
    return { port, findings, health: { status: "silent", reason: explain(error) } };
  }
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return "does not answer within a second";
  return error instanceof Error ? error.message : String(error);
}
