import path from "node:path";
import { namesIn } from "../../system/disk.ts";
import type { Host } from "../../system/host.ts";
import { tryParseJson } from "../../system/json.ts";
import { pidIsAlive, portIsServed } from "../../system/liveness.ts";
import { parseTemporaryName, readPrivateFile, removeFile } from "../../system/private-file.ts";
import type { FileName, SweptFolder } from "../agent.ts";
import { toPid } from "./announced.ts";

/** How a sweep tells who still lives; arguments, so that tests decide it. */
export interface Liveness {
  readonly isAlive?: (pid: number) => boolean;
  readonly isServed?: (port: number) => Promise<boolean>;
}

/**
 * Removes the discovery files of processes that are gone: by process id and port, never by age, and only our
 * user's.
 * @returns what it removed
 */
export async function sweep(
  agents: readonly { discoveryFolders(host: Host): readonly SweptFolder[] }[],
  host: Host,
  { isAlive = pidIsAlive, isServed = portIsServed }: Liveness = {},
): Promise<readonly string[]> {
  const folders = agents.flatMap((agent) => agent.discoveryFolders(host));
  const liveness = { isAlive, isServed: once(isServed) };
  const swept = await Promise.all(folders.map((folder) => sweepFolder(folder, liveness)));
  return swept.flat();
}

/** The discovery files in a folder, by their names alone. */
export const discoveryFilesIn = (folder: SweptFolder) =>
  namesIn(folder.path).flatMap((name) => {
    const named = folder.parseName(name);
    return named === undefined ? [] : [{ file: path.join(folder.path, name), named }];
  });

/**
 * Reads the owners from a file's text, however damaged.
 * By hand and not by the schema, which starting a companion has no need to load.
 * @param named what the file's name says
 */
export function parseOwners(
  text: string,
  named: FileName,
  { endsWithPid }: Pick<SweptFolder, "endsWithPid">,
): Owners {
  // Where it was cut off by a crash, its name may still tell.
  const content = Object(tryParseJson(text));
  const server = toPid(endsWithPid ? content.pid : content.serverPid);
  const port = toPid(content.port) ?? named.port;
  const editors = [named.pid, toPid(content.ppid)].filter((pid) => pid !== undefined);
  return {
    editors,
    ...(server !== undefined && { server }),
    ...(port !== undefined && { port }),
  };
}

/** Whether nobody can be behind this file any more. A file that names no process is not judged. */
export function isAbandoned({ server, editors }: Owners, isAlive: (pid: number) => boolean): boolean {
  if (server !== undefined) return !isAlive(server);
  return editors.length > 0 && !editors.some(isAlive);
}

/** A companion has a file for each agent and version, and all name the same port. */
function once(isServed: (port: number) => Promise<boolean>): (port: number) => Promise<boolean> {
  const known = new Map<number, Promise<boolean>>();
  return (port) => {
    const answer = known.get(port) ?? isServed(port);
    known.set(port, answer);
    return answer;
  };
}

async function sweepFolder(folder: SweptFolder, liveness: Required<Liveness>): Promise<readonly string[]> {
  const names = namesIn(folder.path);
  const stale = await Promise.all(names.map((name) => isStale(folder, name, liveness)));
  return names
    .filter((_, index) => stale[index])
    .map((name) => path.join(folder.path, name))
    .filter(removeFile);
}

async function isStale(
  folder: SweptFolder,
  name: string,
  { isAlive, isServed }: Required<Liveness>,
): Promise<boolean> {
  const temporary = parseTemporaryName(name);
  const named = folder.parseName(temporary?.name ?? name);
  if (named === undefined) return false;
  const text = readPrivateFile(path.join(folder.path, name));
  if (text === undefined) return false;
  if (temporary !== undefined) return !isAlive(temporary.pid);
  const owners = parseOwners(text, named, folder);
  if (isAbandoned(owners, isAlive)) return true;
  // A companion of our kind listens for as long as its file is there. Where nothing does, a stranger has got its
  // process id; in a container that is often we ourselves.
  return owners.server !== undefined && owners.port !== undefined && !(await isServed(owners.port));
}

/** Which processes a discovery file says it lives by. */
interface Owners {
  /** Serves the port; only our own files name it. */
  readonly server?: number;
  /** The editor, by the file's name or by its content. */
  readonly editors: readonly number[];
  readonly port?: number;
}
