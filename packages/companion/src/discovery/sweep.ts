import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Agent, DiscoveryFolder, Host } from "../agents/agent.ts";
import { pidIsAlive, portIsServed } from "./liveness.ts";
import { isAbandoned, parseOwners } from "./owners.ts";
import { parseTemporaryName, readPrivateFile, removeFile } from "./private-file.ts";

/**
 * Removes the discovery files of processes that are gone: by process id, never by age, and only our user's.
 * @returns what it removed
 */
export async function sweep(
  agents: readonly Agent[],
  host: Host,
  isAlive: (pid: number) => boolean = pidIsAlive,
): Promise<readonly string[]> {
  const folders = agents.flatMap((agent) => agent.discoveryFolders(host));
  const swept = await Promise.all(folders.map((folder) => sweepFolder(folder, isAlive)));
  return swept.flat();
}

async function sweepFolder(
  folder: DiscoveryFolder,
  isAlive: (pid: number) => boolean,
): Promise<readonly string[]> {
  // A folder that is missing or closed to us holds nothing of ours.
  const names = await readdir(folder.path).catch(() => []);
  const stale = await Promise.all(names.map((name) => isStale(folder, name, isAlive)));
  return names
    .filter((_, index) => stale[index])
    .map((name) => path.join(folder.path, name))
    .filter(removeFile);
}

async function isStale(
  folder: DiscoveryFolder,
  name: string,
  isAlive: (pid: number) => boolean,
): Promise<boolean> {
  const temporary = parseTemporaryName(name);
  const named = folder.parseName(temporary?.name ?? name);
  if (named === undefined) return false;
  const text = readPrivateFile(path.join(folder.path, name));
  if (text === undefined) return false;
  if (temporary !== undefined) return !isAlive(temporary.pid);
  const owners = parseOwners(text, named);
  // Our own process id proves nothing: in a container the dead companion often had the same.
  if (owners.server === process.pid && owners.port !== undefined) return !(await portIsServed(owners.port));
  return isAbandoned(owners, isAlive);
}
