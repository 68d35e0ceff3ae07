import { realpath } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import type { AgentName } from "../agents.ts";
import { isJson } from "../wire/json-rpc.ts";
import {
  byPreference,
  type DiscoveryFile,
  readDiscoveryFiles,
  type SystemFolders,
} from "./discovery-file.ts";

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

/** Those that have this folder, or one that contains it, open. */
export async function findServing(folder: string, systemFolders: SystemFolders): Promise<Target[]> {
  const here = await realpath(folder);
  const companions = await findCompanions(systemFolders);
  const serves = await Promise.all(companions.map((companion) => isInside(here, companion.roots)));
  return companions.filter((_, index) => serves[index]);
}

export function isListening(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 2000 });
    const done = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => done(true));
    socket.once("timeout", () => done(false));
    socket.once("error", () => done(false)); // refused, which is the answer
  });
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

/** Whether a folder is one of these roots, or below one. */
export async function isInside(folder: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const resolved = await realpath(root).catch(() => root); // no such folder: then nothing is inside
    const relative = path.relative(resolved, folder);
    if (relative === "" || !(relative.startsWith("..") || path.isAbsolute(relative))) return true;
  }
  return false;
}
