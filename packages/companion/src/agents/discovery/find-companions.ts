import { stat } from "node:fs/promises";
import { innermostRoot, toRealPath } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import { pidIsAlive, portIsServed } from "../../system/liveness.ts";
import { readPrivateFile } from "../../system/private-file.ts";
import type {
  Address,
  Agent,
  Announcement,
  DiscoveryFolder,
  FileName,
  FoundFile,
  LiveFinding,
} from "../agent.ts";
import { discoveryFilesIn, isAbandoned, parseOwners } from "./sweep.ts";

/** A discovery file, and what is to be thought of it. */
export type Finding = LiveFinding | DeadFinding;

/** A file that leads nowhere: its companion has gone, or it is no discovery file. */
export interface DeadFinding extends FoundFile {
  readonly result: "stale" | "damaged";
  /** For people, as the end of a sentence: `process 123 is gone`. */
  readonly reason: string;
  /** What it says, where nobody serves its port. */
  readonly announced?: Announcement;
}

/** Finds every discovery file of our user, those that other companions have written included. */
export async function findCompanions(host: Host, agents: readonly Agent[]): Promise<readonly Finding[]> {
  const searches = agents.flatMap((agent) =>
    agent.discoveryFolders(host).map((folder) => searchFolder(agent, folder, host)),
  );
  return (await Promise.all(searches)).flat();
}

/** The same, of companions that run alone. */
export const findLive = async (host: Host, agents: readonly Agent[]): Promise<readonly LiveFinding[]> =>
  (await findCompanions(host, agents)).filter((finding) => finding.result === "live");

/** The companion as its agent's variables and files name it. */
export function toAddress({ port, token, roots, ide, pid, serverPid }: LiveFinding): Address {
  return {
    port,
    token: token ?? "",
    roots,
    ide: ide ?? { name: "editor", displayName: "Editor" },
    // Only a file without any process in it has none; its agent has no variable for it either.
    pid: pid ?? 0,
    serverPid: serverPid ?? pid ?? 0,
  };
}

/** The companion that a CLI in some folder belongs to, and those that would have done as well. */
export interface Choice {
  readonly chosen: LiveFinding;
  readonly others: readonly LiveFinding[];
}

/**
 * Chooses the companion for a CLI: one whose roots hold the folder; of several the one that the terminal's variables
 * name, by port or else by process, or else the nearest of those whose editor is above this process, or else the one
 * with the most specific root, or else the newest.
 * @param findings of one agent or of several
 * @param folder absolute; symlinks are followed, as in the roots
 * @param env the terminal's variables
 * @param lineage ids of the processes above, nearest first, as far as they are known
 */
export function chooseCompanion(
  findings: readonly LiveFinding[],
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  lineage: readonly number[] = [],
): Choice | undefined {
  const fitting = findings
    .flatMap((finding) => {
      const root = innermostRoot(finding.roots, folder);
      return root === undefined ? [] : [{ finding, depth: root.length, claim: claim(finding, env, lineage) }];
    })
    .toSorted((a, b) => b.claim - a.claim || b.depth - a.depth || b.finding.writtenAt - a.finding.writtenAt);
  const [chosen, ...others] = onePerCompanion(fitting.map(({ finding }) => finding));
  return chosen && { chosen, others };
}

/** The first finding of each companion, which has a file for each agent, or several. */
export const onePerCompanion = (findings: readonly LiveFinding[]): readonly LiveFinding[] =>
  findings.filter(
    (finding, index) => findings.findIndex((other) => isSameCompanion(other, finding)) === index,
  );

/** Whether two files are of one companion: it may have a port for each family of agents. */
export function isSameCompanion(one: LiveFinding, other: LiveFinding): boolean {
  if (one.port === other.port) return true;
  // An editor's process may have several windows, and each of them a companion.
  const isOneEditor = one.pid !== undefined && one.pid === other.pid && one.agent !== other.agent;
  return isOneEditor && toKey(one.roots) === toKey(other.roots);
}

async function searchFolder(agent: Agent, folder: DiscoveryFolder, host: Host): Promise<readonly Finding[]> {
  const findings = discoveryFilesIn(folder).map(({ file, named }) =>
    judge({ agent, file }, folder, named, host),
  );
  return (await Promise.all(findings)).filter((finding) => finding !== undefined);
}

async function judge(
  found: FoundFile,
  folder: DiscoveryFolder,
  named: FileName,
  host: Host,
): Promise<Finding | undefined> {
  const text = readPrivateFile(found.file);
  if (text === undefined) return undefined;
  const owners = parseOwners(text, named, folder);
  if (isAbandoned(owners, pidIsAlive)) {
    const gone = [owners.server, ...owners.editors].find((pid) => pid !== undefined && !pidIsAlive(pid));
    return { ...found, result: "stale", reason: `process ${gone} is gone` };
  }
  const read = async () => folder.read(text, named, host);
  const announced = await read().catch(messageOf);
  if (typeof announced === "string") return { ...found, result: "damaged", reason: announced };
  const { port } = announced;
  const pid = announced.pid ?? owners.editors[0] ?? owners.server;
  if (named.port !== undefined && named.port !== port) {
    return { ...found, result: "damaged", reason: `its name says port ${named.port}, its content ${port}` };
  }
  if (!(await portIsServed(port))) {
    const reason = `nothing of yours listens on port ${port}`;
    return { ...found, result: "stale", reason, announced: { ...announced, pid } };
  }
  const written = await stat(found.file).catch(() => undefined); // removed in this moment
  return {
    ...found,
    result: "live",
    ...announced,
    pid,
    writtenAt: written?.mtimeMs ?? 0,
  };
}

const toKey = (roots: readonly string[]) => roots.map(toRealPath).toSorted().join("\n");

/** How strongly the terminal asks for this one. */
function claim(
  { agent, port, pid }: LiveFinding,
  env: Readonly<Record<string, string | undefined>>,
  lineage: readonly number[],
): number {
  const { port: portVariable, pid: pidVariable } = agent.variables;
  if (portVariable !== undefined && env[portVariable] === String(port)) return 3;
  const wanted = pidVariable === undefined ? undefined : env[pidVariable];
  if (wanted !== undefined && wanted === String(pid)) return 2;
  const above = pid === undefined ? -1 : lineage.indexOf(pid);
  return above === -1 ? 0 : 1 / (above + 1);
}
