import type { Reviews } from "../core/changes/reviews.ts";
import type { ContextFeed } from "../core/context-feed.ts";
import type { Editor } from "../core/editor.ts";
import type { EventHub } from "../core/events.ts";
import type { Sessions } from "../core/sessions.ts";
import type { Sharing } from "../core/sharing/sharing.ts";
import type { Host } from "../system/host.ts";
import type { AgentIdentity } from "./agent.ts";

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
  /** Absolute paths of the files by which its agents find us. */
  readonly files: readonly string[];
  /** Writes these files again, for other open folders. What cannot be written is a warning. */
  rewriteFiles(): void;
  /** Removes our own files and nobody else's. Synchronous, for exit handlers; never throws; may be repeated. */
  removeFiles(): void;
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

/**
 * Starts the families that serve one of these agents, or our own commands.
 * @param agents that the user wants; all of them where it is undefined
 */
export async function startFamilies(
  families: readonly AgentFamily[],
  agents: readonly AgentIdentity[] | undefined,
  core: Core,
  host: Host,
) {
  const wantedOf = (family: AgentFamily) => family.agents.filter((agent) => agents?.includes(agent) ?? true);
  const starting = families.flatMap((family) => {
    const wanted = wantedOf(family);
    return wanted.length > 0 || family.servesOwnClients ? [{ family, wanted }] : [];
  });
  const start = async ({ family, wanted }: (typeof starting)[number]) => {
    const one = await family.serve(wanted, core, host);
    return { one, isFound: wanted.length > 0 && one.files.length > 0 };
  };
  // The first has a port for most agents, which is not to open later because of the others.
  const first = await Promise.allSettled(starting.slice(0, 1).map(start));
  const ends = [...first, ...(await Promise.allSettled(starting.slice(1).map(start)))];
  const started = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  return {
    served: started.map(({ one }) => one),
    isFound: started.some(({ isFound }) => isFound),
    failures: ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : [])),
  };
}
