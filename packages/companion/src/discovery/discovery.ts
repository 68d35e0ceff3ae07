import { existsSync } from "node:fs";
import type { Agent, DiscoveryEntry, Host, Place } from "../agents/agent.ts";
import { DiscoveryError, describeFailures, type Failure } from "./discovery-error.ts";
import { pidIsAlive } from "./liveness.ts";
import { ensureOwnedFolder } from "./owned-folder.ts";
import { isAbandoned, parseOwners } from "./owners.ts";
import { readPrivateFile, removeFile, writePrivateFile } from "./private-file.ts";
import { sweep } from "./sweep.ts";

/** How often deleted files are looked for, in milliseconds. */
const upkeepInterval = 10 * 60_000;

export interface DiscoveryOptions {
  readonly agents: readonly Agent[];
  /** What an agent is told; asked anew at every rewrite. */
  readonly places: (agent: Agent) => Place;
  readonly host: Host;
  /** Takes a sentence about an agent that will not find us, or only by a detour. */
  readonly onWarning: (message: string) => void;
  readonly isAlive?: (pid: number) => boolean;
}

/** The files by which agent CLIs find this companion. */
export interface Discovery {
  /** Absolute paths of what is written at this moment. */
  readonly files: readonly string[];
  /**
   * Writes all files with the present places, also those that somebody deleted.
   * @throws DiscoveryError when not a single one can be written
   */
  rewrite(): Promise<void>;
  /** Removes our own files and nobody else's. Synchronous, for exit handlers; never throws; may be repeated. */
  remove(): void;
}

/**
 * Sweeps the discovery files of dead companions away and writes those of this one, which already listens.
 * @throws DiscoveryError when not a single file can be written; single failures are warnings
 * @see docs/contract.md#2-discovery
 */
export async function startDiscovery(options: DiscoveryOptions): Promise<Discovery> {
  const { agents, host, isAlive = pidIsAlive } = options;
  const written = new Map<string, string>();
  let removed = false;
  const discovery: Discovery = {
    get files() {
      return [...written.keys()];
    },
    async rewrite() {
      if (!removed) writeAll({ ...options, isAlive }, written);
    },
    remove() {
      removed = true;
      clearInterval(upkeep);
      for (const [file, text] of written) {
        // Whoever has replaced it since is its owner now.
        if (readPrivateFile(file) === text) removeFile(file);
      }
      written.clear();
    },
  };
  // Systems clear their temporary folders of what is some days old, and a companion may run for weeks.
  const upkeep = setInterval(() => {
    if (discovery.files.every(existsSync)) return;
    discovery.rewrite().catch((error: Error) => options.onWarning(error.message));
  }, upkeepInterval).unref();
  try {
    await sweep(agents, host, isAlive);
    await discovery.rewrite();
  } catch (error) {
    discovery.remove();
    throw error;
  }
  return discovery;
}

function writeAll(options: Required<DiscoveryOptions>, written: Map<string, string>): void {
  warnOfDelimiters(options);
  const attempts = options.agents.map((agent) => ({ agent, ...writeFor(agent, options, written) }));
  const failures = attempts.flatMap(({ failed }) => failed);
  if (failures.length > 0 && attempts.every(({ succeeded }) => succeeded === 0)) {
    throw new DiscoveryError(describeFailures(failures));
  }
  for (const { agent, succeeded, failed } of attempts) {
    if (failed.length === 0) continue;
    const consequence =
      succeeded === 0
        ? `${agent.displayName} will not find this companion.`
        : `Not every version of ${agent.displayName} will find this companion.`;
    options.onWarning(`${consequence} ${describeFailures(failed)}`);
  }
}

function warnOfDelimiters({ agents, places, host, onWarning }: DiscoveryOptions): void {
  for (const root of new Set(agents.flatMap((agent) => places(agent).roots))) {
    if (!root.includes(host.delimiter)) continue;
    onWarning(
      `${root} has "${host.delimiter}" in its name, by which agent CLIs tell folders apart: ` +
        "those started there will not find this companion.",
    );
  }
}

function writeFor(agent: Agent, options: Required<DiscoveryOptions>, written: Map<string, string>) {
  const place = options.places(agent);
  const failed: Failure[] = [];
  let succeeded = 0;
  for (const entry of agent.discoveryFiles(place, options.host)) {
    try {
      if (writeEntry(entry, place, written, options.isAlive)) succeeded++;
    } catch (error) {
      failed.push({ path: entry.path, error });
    }
  }
  return { succeeded, failed };
}

/** @returns false when the file is another live companion's */
function writeEntry(
  entry: DiscoveryEntry,
  place: Place,
  written: Map<string, string>,
  isAlive: (pid: number) => boolean,
): boolean {
  if (entry.shared && isTaken(entry.path, place, isAlive)) return false;
  for (const folder of entry.folders) ensureOwnedFolder(folder);
  const text = `${JSON.stringify(entry.content, null, 2)}\n`;
  writePrivateFile(entry.path, text);
  written.set(entry.path, text);
  return true;
}

/** Whether another live companion holds the name. */
function isTaken(file: string, place: Place, isAlive: (pid: number) => boolean): boolean {
  const text = readPrivateFile(file);
  if (text === undefined) return false;
  const owners = parseOwners(text);
  return owners.port !== place.port && !isAbandoned(owners, isAlive);
}
