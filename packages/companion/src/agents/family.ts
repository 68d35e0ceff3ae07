import type { Reviews } from "../core/changes/reviews.ts";
import type { ContextFeed } from "../core/context-feed.ts";
import type { Editor } from "../core/editor.ts";
import type { EventHub } from "../core/events.ts";
import type { Sessions } from "../core/sessions.ts";
import type { Sharing } from "../core/sharing/sharing.ts";
import { messageOf } from "../system/error-message.ts";
import type { Host } from "../system/host.ts";
import type { AgentIdentity } from "./agent.ts";
import type { Discovery } from "./discovery/discovery.ts";

/** All of a companion that its agents may touch. */
export interface Core {
  readonly version: string;
  /** Its name, its process, and what only some editors can do. */
  readonly editor: Omit<Editor, "onContext" | "openDiff" | "closeDiff" | "readDiff">;
  /** What the user looks at. */
  readonly context: ContextFeed;
  readonly reviews: Reviews;
  readonly sessions: Sessions;
  readonly sharing: Sharing;
  readonly events: EventHub;
  /** Absolute paths of the open folders. */
  readonly roots: () => readonly string[];
}

/** What a family does while a companion runs. */
export interface ServedFamily {
  /** Where its agents connect, where that is a port. */
  readonly port?: number;
  /** Variables for the editor's terminals. They hold secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** The files by which its agents find us. */
  readonly discovery: readonly Pick<Discovery, "files" | "rewrite" | "remove">[];
  /** What else nobody is to find, once these files are removed. Synchronous, for exit handlers; never throws; may be repeated. */
  removeMore?(): void;
  /** Ends every session. The proposals are closed before. */
  close(): Promise<void>;
}

/** Agents that speak one protocol and share a listener: one folder below `agents/`. */
export interface AgentFamily {
  readonly agents: readonly AgentIdentity[];
  /** It serves our own commands as well, and therefore even when none of its agents is wanted. */
  readonly servesOwnClients?: true;
  /**
   * Listens where these agents look, then writes the files that they read.
   * @param agents those of the family that the user wants to be served
   * @throws Error when no listener can be opened
   * @throws DiscoveryError when not a single file can be written
   */
  serve(agents: readonly AgentIdentity[], core: Core, host: Host): Promise<ServedFamily>;
}

/** The families that a companion serves, as one. */
export type ServedFamilies = Awaited<ReturnType<typeof startFamilies>>;

/**
 * Starts the families that serve one of these agents, or our own commands. Those that cannot be served are warnings.
 * @param agents that the user wants; all of them where it is undefined
 * @throws Error of the first that cannot be served, where no agent finds another one by a file
 */
export async function startFamilies(
  families: readonly AgentFamily[],
  agents: readonly AgentIdentity[] | undefined,
  core: Core,
  host: Host,
) {
  const starting = families.flatMap((family) => {
    const wanted = family.agents.filter((agent) => agents?.includes(agent) ?? true);
    return wanted.length > 0 || family.servesOwnClients ? [{ family, wanted }] : [];
  });
  const start = async ({ family, wanted }: (typeof starting)[number]) => {
    const one = await family.serve(wanted, core, host);
    return { one, isFound: wanted.length > 0 && one.discovery.some(({ files }) => files.length > 0) };
  };
  // The first has a port for most agents, which is not to open later because of the others.
  const first = await Promise.allSettled(starting.slice(0, 1).map(start));
  const ends = [...first, ...(await Promise.allSettled(starting.slice(1).map(start)))];
  const started = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  const served = started.map(({ one }) => one);
  const discoveries = served.flatMap(({ discovery }) => discovery);
  const all = {
    port: served.find(({ port }) => port !== undefined)?.port ?? 0,
    get env(): Readonly<Record<string, string>> {
      return Object.assign({}, ...served.map(({ env }) => env));
    },
    get files(): readonly string[] {
      return discoveries.flatMap(({ files }) => files);
    },
    rewriteFiles() {
      for (const discovery of discoveries) discovery.rewrite();
    },
    /** Removes our own files and nobody else's. Synchronous, for exit handlers; never throws; may be repeated. */
    removeFiles() {
      for (const { discovery, removeMore } of served) {
        for (const one of discovery) one.remove();
        removeMore?.();
      }
    },
    close: async () => void (await Promise.all(served.map((family) => family.close()))),
  };
  // A companion that no agent finds by a file shows no diffs: alone it is not worth a start that has otherwise failed.
  if (failures.length > 0 && !started.some(({ isFound }) => isFound)) {
    all.removeFiles();
    await all.close();
    throw failures[0];
  }
  for (const error of failures) core.events.emit({ kind: "warning", message: messageOf(error) });
  return all;
}
