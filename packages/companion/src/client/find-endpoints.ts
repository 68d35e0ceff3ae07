import { chooseCompanion } from "../agents/discovery/choose-companion.ts";
import { findCompanions, type LiveFinding } from "../agents/discovery/find-companions.ts";
import { geminiFamilyAgents } from "../agents/gemini-family/agents.ts";
import type { IdeInfo } from "../agents/gemini-family/contract/discovery.ts";
import type { Discovered, Endpoint } from "../agents/gemini-family/family-cli.ts";
import { findIde } from "../agents/gemini-family/find-ide.ts";
import type { FamilyAgent } from "../agents/gemini-family/quirks.ts";
import type { Host } from "../system/host.ts";
import { lineageOf, readProcessTable } from "../system/processes/process-table.ts";

export interface FindEndpointsOptions {
  readonly host: Host;
  /** Absolute. */
  readonly folder: string;
  /** Look as this agent's CLI does; any companion will do when absent. */
  readonly agent: FamilyAgent | undefined;
}

/** The endpoints to try one after the other, or why there is none. */
export type FoundEndpoints =
  | { readonly endpoints: readonly Endpoint[]; readonly ide: IdeInfo | undefined }
  | { readonly endpoints: readonly []; readonly reason: string };

/** Reads the discovery files and variables as they are now. */
export async function findEndpoints({ host, folder, agent }: FindEndpointsOptions): Promise<FoundEndpoints> {
  if (!agent) return findAny(host, folder);
  const { discovered } = await findIde(agent, { host, folder });
  const reason = describeObstacle(discovered, folder);
  return reason === undefined
    ? { endpoints: discovered.endpoints, ide: discovered.ide?.ide }
    : { endpoints: [], reason };
}

function describeObstacle({ ide, workspace, endpoints }: Discovered, folder: string): string | undefined {
  if (!ide) return "no discovery file names an IDE, and this terminal is not one of an IDE that is known";
  if (workspace.result === "outside")
    return `the IDE has ${workspace.roots.join(", ")} open, and not ${folder}`;
  if (workspace.result === "none-open") return "the IDE has no folder open";
  if (endpoints.length === 0 || workspace.result === "untold") return `no companion serves ${folder}`;
  return undefined;
}

async function findAny(host: Host, folder: string): Promise<FoundEndpoints> {
  const [findings, processes] = await Promise.all([
    findCompanions(host, geminiFamilyAgents),
    readProcessTable(),
  ]);
  const live = findings.filter((finding) => finding.result === "live");
  const lineage = lineageOf(processes, process.pid).map(({ pid }) => pid);
  const choice = chooseCompanion(live, folder, host.env, lineage);
  if (!choice) return { endpoints: [], reason: `no companion serves ${folder}` };
  const { chosen, others } = choice;
  return { endpoints: [chosen, ...others].map(toEndpoint), ide: chosen.ide };
}

const toEndpoint = ({ port, token, file }: LiveFinding): Endpoint => ({
  kind: "http",
  hosts: ["127.0.0.1"],
  port,
  token,
  source: file,
});
