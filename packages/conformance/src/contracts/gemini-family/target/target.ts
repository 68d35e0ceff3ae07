import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type AgentName, agentNames, agents } from "../../../agents.ts";
import type { SystemFolders } from "../../../target/folders.ts";
import { isListening } from "../../../target/machine.ts";
import { type Start, type Started, startCompanion } from "../../../target/process.ts";
import { isJson } from "../../../wire/json-rpc.ts";
import { byPreference, currentKinds, type DiscoveryFile, readDiscoveryFiles } from "./discovery-file.ts";

/** The companion under test. */
export interface Target {
  readonly port: number;
  /** Its display name, for the report. */
  readonly name: string;
  /** The token of each agent that it serves. */
  readonly tokens: ReadonlyMap<AgentName, string>;
  /** Its discovery files; none when it was named by its address. */
  readonly files: readonly DiscoveryFile[];
  /** Where they are. */
  readonly systemFolders: SystemFolders;
  /** The folders that it says are open. */
  readonly roots: readonly string[];
}

/** The agents that a companion serves. */
export function agentsOf({ tokens }: Target): readonly AgentName[] {
  return [...tokens.keys()];
}

/** Every companion whose discovery files name a port that a process listens on. */
export async function findCompanions(systemFolders: SystemFolders): Promise<Target[]> {
  const byPort = new Map<number, DiscoveryFile[]>();
  for (const file of await readDiscoveryFiles(systemFolders)) {
    const port = portOf(file);
    if (port !== undefined) byPort.set(port, [...(byPort.get(port) ?? []), file]);
  }
  const living: Target[] = [];
  for (const [port, files] of byPort) {
    if (await isListening(port)) living.push(toTarget(port, files, systemFolders));
  }
  return living;
}

function portOf({ content, port }: DiscoveryFile): number | undefined {
  const named = content?.port;
  return typeof named === "number" && Number.isInteger(named) && named > 0 && named < 65_536 ? named : port;
}

function toTarget(port: number, files: readonly DiscoveryFile[], systemFolders: SystemFolders): Target {
  const tokens = new Map<AgentName, string>();
  let name: string | undefined;
  let roots: readonly string[] | undefined;
  for (const { agent, content = {} } of [...files].sort(byPreference)) {
    const { authToken, workspacePath, ideInfo } = content;
    if (typeof authToken === "string" && authToken !== "" && !tokens.has(agent)) tokens.set(agent, authToken);
    if (typeof workspacePath === "string" && workspacePath !== "")
      roots ??= workspacePath.split(path.delimiter);
    if (isJson(ideInfo) && typeof ideInfo.displayName === "string") name ??= ideInfo.displayName;
  }
  return {
    port,
    name: name ?? "a companion without a name",
    tokens,
    files,
    systemFolders,
    roots: roots ?? [],
  };
}

/** Variables by which a companion finds CLIs outside of the sandbox. */
const foreign = new RegExp(`^(${agentNames.map((agent) => agents[agent].variablePrefix).join("|")})`);

/** @throws Error as `startCompanion` does */
export const startFamily = (start: Start): Promise<Started<Target>> =>
  startCompanion(start, {
    foreign,
    variables: () => ({}),
    async search(_, { systemFolders }) {
      const others = (await findCompanions(systemFolders)).map(({ port }) => port);
      const { tmp, homes } = systemFolders;
      return {
        where: `no discovery file in ${[tmp, ...Object.values(homes)].join(" or ")} leads to a port (name a companion without such files by --url)`,
        async find() {
          const found = (await findCompanions(systemFolders)).find(({ port }) => !others.includes(port));
          return found && settled(found, start.within / 20);
        },
      };
    },
  });

/**
 * The companion with all of its files: they are written one after the other.
 * @param quiet milliseconds without a new one after which one that has fewer than there could be has no more
 */
async function settled(found: Target, quiet: number): Promise<Target> {
  let target = found;
  for (let until = performance.now() + quiet; performance.now() < until; await delay(10)) {
    const kinds = target.files.map(({ kind }) => kind);
    if (currentKinds.every((kind) => kinds.includes(kind))) return target;
    const now =
      (await findCompanions(target.systemFolders)).find(({ port }) => port === target.port) ?? target;
    if (now.files.length !== target.files.length) until = performance.now() + quiet;
    target = now;
  }
  return target;
}
