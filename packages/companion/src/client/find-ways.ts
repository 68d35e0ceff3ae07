import type { Agent, Host, Sought, Way } from "../agents/index.ts";
import { agents } from "../agents/index.ts";
import type { IdeInfo } from "../contract/discovery.ts";
import { chooseCompanion } from "./choose-companion.ts";
import { findCompanions, type LiveFinding } from "./find-companions.ts";
import { findIde } from "./find-ide.ts";
import { lineageOf } from "./processes/ide-process.ts";
import { readProcessTable } from "./processes/read-process-table.ts";

export interface FindWaysOptions {
  readonly host: Host;
  /** Absolute. */
  readonly folder: string;
  /** Look as this agent's CLI does; any companion will do when absent. */
  readonly agent: Agent | undefined;
}

/** The ways to try one after the other, or why there is none. */
export type FoundWays =
  | { readonly ways: readonly Way[]; readonly ide: IdeInfo | undefined }
  | { readonly ways: readonly []; readonly reason: string };

/** Reads the discovery files and variables as they are now. */
export async function findWays({ host, folder, agent }: FindWaysOptions): Promise<FoundWays> {
  if (!agent) return findAny(host, folder);
  const { sought } = await findIde(agent, { host, folder });
  const reason = describeObstacle(sought, folder);
  return reason === undefined ? { ways: sought.ways, ide: sought.ide?.ide } : { ways: [], reason };
}

function describeObstacle({ ide, workspace, ways }: Sought, folder: string): string | undefined {
  if (!ide) return "no discovery file names an IDE, and this terminal is not one of an IDE that is known";
  if (workspace.result === "outside")
    return `the IDE has ${workspace.roots.join(", ")} open, and not ${folder}`;
  if (workspace.result === "none-open") return "the IDE has no folder open";
  if (ways.length === 0 || workspace.result === "untold") return `no companion serves ${folder}`;
  return undefined;
}

async function findAny(host: Host, folder: string): Promise<FoundWays> {
  const [findings, processes] = await Promise.all([findCompanions(host, agents), readProcessTable()]);
  const live = findings.filter((finding) => finding.result === "live");
  const lineage = lineageOf(processes, process.pid).map(({ pid }) => pid);
  const choice = chooseCompanion(live, folder, host.env, lineage);
  if (!choice) return { ways: [], reason: `no companion serves ${folder}` };
  const { chosen, others } = choice;
  return { ways: [chosen, ...others].map(toWay), ide: chosen.content.ideInfo };
}

const toWay = ({ content, file }: LiveFinding): Way => ({
  kind: "http",
  hosts: ["127.0.0.1"],
  port: content.port,
  token: content.authToken,
  source: file,
});
