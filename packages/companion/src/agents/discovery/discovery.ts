import { existsSync } from "node:fs";
import type { OnCompanionEvent } from "../../core/events.ts";
import { isInside } from "../../files/workspace-path.ts";
import { codeOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import {
  ensureOwnedFolder,
  FolderError,
  overwritePrivateFile,
  readPrivateFile,
  removeFile,
  writePrivateFile,
} from "../../system/private-file.ts";
import type { Agent, AgentIdentity, DiscoveryEntry, SweptFolder } from "../agent.ts";
import { type Liveness, sweep } from "./sweep.ts";

/** How often files that are missing are put back, in milliseconds. */
const upkeepInterval = 5000;

/** What discovery has to know of an agent. */
export interface Discovering extends Pick<AgentIdentity, "displayName"> {
  discoveryFolders(host: Host): readonly SweptFolder[];
}

export interface DiscoveryOptions<Discovered extends Discovering = Agent> {
  readonly agents: readonly Discovered[];
  /** What its files are to be; asked again at every rewrite. */
  readonly filesOf: (agent: Discovered) => readonly DiscoveryEntry[];
  /** The open folders, where the agents split them at the system's delimiter. */
  readonly splitRoots?: () => readonly string[];
  readonly host: Host;
  /**
   * Takes warnings about an agent that will not find us, or only by a detour; and the files that were written after the
   * start: with other roots, put back, or at last.
   */
  readonly onEvent: OnCompanionEvent;
  /** Called before it throws. */
  readonly onFailure?: () => Promise<void>;
  readonly liveness?: Liveness;
}

/** The discovery files of a companion that runs. */
export type Discovery = Awaited<ReturnType<typeof startDiscovery>>;

/**
 * Sweeps the discovery files of dead companions away and writes those of this one, which already listens. From
 * then on it puts back what somebody deletes, and writes what could not be written before.
 * @throws DiscoveryError when not a single file can be written; single failures are warnings
 * @see docs/reference/contract.md#2-discovery
 */
export async function startDiscovery<Discovered extends Discovering>(options: DiscoveryOptions<Discovered>) {
  const { agents, host, onEvent, liveness = {} } = options;
  const written: Written = new Map();
  let removed = false;
  let sent: readonly string[] = [];
  const write = () => writeAll(options, written);

  /** A warning is reported once for as long as it holds. */
  function tell(warnings: readonly string[]): void {
    for (const message of warnings) if (!sent.includes(message)) onEvent({ kind: "warning", message });
    sent = warnings;
  }

  function rewrite(): void {
    const attempts = write();
    tell(toWarnings(attempts, options));
    const files = attempts.flatMap((attempt) => attempt.written);
    if (files.length > 0) onEvent({ kind: "discovery-changed", files });
  }

  const discovery = {
    /** Absolute paths of what is written at this moment. */
    get files(): readonly string[] {
      return [...written.keys()];
    },
    /** For other open folders, say. What cannot be written is a warning. */
    rewrite() {
      if (!removed) rewrite();
    },
    /** Removes our own files and nobody else's. Synchronous, for exit handlers; never throws; may be repeated. */
    remove() {
      removed = true;
      clearInterval(upkeep);
      for (const [file, text] of written) {
        // Somebody has replaced it since, and owns it now.
        if (readPrivateFile(file) === text) removeFile(file);
      }
      written.clear();
    },
  };
  // Disks fill up and are freed, and systems clear their temporary folders: a companion may run for weeks.
  const upkeep = setInterval(rewrite, upkeepInterval).unref();
  try {
    await sweep(agents, host, liveness);
    const attempts = write();
    const failures = attempts.flatMap(({ failed }) => failed);
    if (written.size === 0 && failures.length > 0)
      throw new DiscoveryError(describeFailures(failures, host.tmp));
    tell(toWarnings(attempts, options));
  } catch (error) {
    discovery.remove();
    await options.onFailure?.();
    throw error;
  }
  return discovery;
}

/** Why agent CLIs cannot find this companion: a sentence that names the folder or file and the remedy. */
export class DiscoveryError extends Error {
  override readonly name = "DiscoveryError";
}

/**
 * Says once for every reason what failed for it, and what to do.
 * @param tmp the temporary folder, which the user can move; agents look for the other files in their home alone
 */
export function describeFailures(failures: readonly Failure[], tmp: string): string {
  const pathsByReason = new Map<string, readonly string[]>();
  for (const { path, error } of failures) {
    // A refused folder is the whole story; otherwise the reason lacks what it is about.
    const [reason, paths] =
      error instanceof FolderError ? [error.message, []] : [explain(error, isInside(path, tmp)), [path]];
    pathsByReason.set(reason, [...(pathsByReason.get(reason) ?? []), ...paths]);
  }
  return [...pathsByReason].map(([reason, paths]) => toSentence(reason, paths)).join(" ");
}

/** Absolute paths of our files, with what was written there last. */
type Written = Map<string, string>;

/** What became of one agent's files. */
interface Attempt {
  readonly agent: Discovering;
  /** Absolute paths of those that were not there already. */
  readonly written: readonly string[];
  readonly failed: readonly Failure[];
  /** Whether its CLI finds us at all. */
  readonly isFound: boolean;
}

function writeAll<Discovered extends Discovering>(
  { agents, filesOf }: DiscoveryOptions<Discovered>,
  written: Written,
): readonly Attempt[] {
  return agents.map((agent) => {
    const fresh: string[] = [];
    const failed: Failure[] = [];
    let isFound = false;
    for (const entry of filesOf(agent)) {
      try {
        if (writeEntry(entry, written)) fresh.push(entry.path);
        isFound = true;
      } catch (error) {
        failed.push({ path: entry.path, error });
      }
    }
    return { agent, written: fresh, failed, isFound };
  });
}

/** @returns whether it was not there already */
function writeEntry(entry: DiscoveryEntry, written: Written): boolean {
  const text = `${JSON.stringify(entry.content, null, 2)}\n`;
  if (written.get(entry.path) === text && existsSync(entry.path)) return false;
  for (const folder of entry.folders) ensureOwnedFolder(folder);
  if (!(entry.keepsFile && overwritePrivateFile(entry.path, text))) writePrivateFile(entry.path, text);
  written.set(entry.path, text);
  return true;
}

function toWarnings(attempts: readonly Attempt[], options: WarningOptions): readonly string[] {
  const failures = attempts.flatMap(({ agent, failed, isFound }) => {
    if (failed.length === 0) return [];
    const consequence = isFound
      ? `Not every version of ${agent.displayName} will find this companion.`
      : `${agent.displayName} will not find this companion.`;
    return [`${consequence} ${describeFailures(failed, options.host.tmp)}`];
  });
  return [...warningsOfDelimiters(options), ...failures];
}

type WarningOptions = Pick<DiscoveryOptions, "host" | "splitRoots">;

function warningsOfDelimiters({ host, splitRoots }: WarningOptions): readonly string[] {
  return (splitRoots?.() ?? [])
    .filter((root) => root.includes(host.delimiter))
    .map(
      (root) =>
        `${root} has "${host.delimiter}" in its name, by which agent CLIs tell folders apart: ` +
        "those started there will not find this companion.",
    );
}

/** A discovery file that could not be written. */
interface Failure {
  readonly path: string;
  readonly error: unknown;
}

function toSentence(reason: string, [first, ...others]: readonly string[]): string {
  if (first === undefined) return reason;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `Cannot write ${first}${more}: ${reason}`;
}

function explain(error: unknown, isMovable: boolean): string {
  const known = reasons[String(codeOf(error))];
  if (!known) return error instanceof Error ? withoutPath(error.message) : String(error);
  const { reason, remedy, elsewhere } = known;
  const remedies = [remedy, isMovable ? elsewhere && `point TMPDIR at ${elsewhere}` : undefined];
  const whatToDo = remedies.filter((each) => each !== undefined).join(", or ");
  return `${reason}.${whatToDo === "" ? "" : ` ${whatToDo.charAt(0).toUpperCase()}${whatToDo.slice(1)}.`}`;
}

/** `EIO: i/o error, open '/tmp/…'`: the path is that of a temporary file, another one each time. */
const withoutPath = (message: string) => message.replace(/, \w+ '.*$/s, ".");

interface Reason {
  readonly reason: string;
  readonly remedy?: string;
  /** Where a temporary folder does not have this trouble. */
  readonly elsewhere?: string;
}

const onAnotherDisk = { remedy: "free some space", elsewhere: "a folder on another disk" };

const reasons: Readonly<Record<string, Reason>> = {
  ENOSPC: { reason: "the disk is full", ...onAnotherDisk },
  EDQUOT: { reason: "your disk quota is used up", ...onAnotherDisk },
  EROFS: { reason: "the file system is read-only", elsewhere: "a folder that can be written" },
  EACCES: {
    reason: "permission denied",
    remedy: "make the folder writable for you",
    elsewhere: "another one",
  },
  EPERM: {
    reason: "something of another user is in the way",
    remedy: "remove that",
    elsewhere: "your own folder",
  },
  ENOENT: { reason: "the folder does not exist", elsewhere: "one that does" },
  EISDIR: { reason: "a folder is in the way", remedy: "remove that folder" },
  ENOTDIR: { reason: "a file is in the way", remedy: "remove that file" },
};
