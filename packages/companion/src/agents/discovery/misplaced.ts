import path from "node:path";
import { holds } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { readProcessDetails } from "../../system/processes/process-details.ts";
import type { Agent, AgentCli } from "../agent.ts";
import { findLive } from "./find-companions.ts";

/**
 * Where companion and CLI have other ideas of where the files are, each looks in a separate folder.
 * @param host as the CLI sees it
 * @param all by whose files a companion may be found as well
 * @returns when a companion serves this folder and only a variable keeps the CLI from its file: that one, with the value
 *   that the companion has, if any
 */
export async function findMisplaced(
  agent: Agent,
  cli: Pick<AgentCli, "folderVariables">,
  host: Host,
  folder: string,
  all: readonly Agent[],
) {
  if (await isInUsualFolder(agent, host, folder)) return { name: "TMPDIR", value: undefined };
  const findings = await findLive(host, all);
  const servers = findings.flatMap(({ roots, serverPid, pid }) =>
    holds(roots, folder) ? (serverPid ?? pid ?? []) : [],
  );
  const details = await readProcessDetails([...new Set(servers)]);
  for (const { env } of details.values()) {
    const name = env && cli.folderVariables.find((each) => env[each] !== host.env[each]);
    if (name !== undefined) return { name, value: env?.[name] };
  }
  return undefined;
}

/** Whether a companion of this folder has its file where it lies for everybody who has no folder of his own. */
async function isInUsualFolder(agent: Agent, host: Host, folder: string): Promise<boolean> {
  const usual = { ...host, tmp: "/tmp" };
  const own = agent.discoveryFolders(host).map((each) => each.path);
  const findings = await findLive(usual, [agent]);
  return findings.some(({ file, roots }) => !own.includes(path.dirname(file)) && holds(roots, folder));
}
