import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { createPaths } from "../text/paths.ts";
import type {
  FrontendMessage,
  HistoryEntry,
  PageMessage,
  ProposalSummary,
  SessionSummary,
  TurnSummary,
  WaitingComments,
} from "./api.ts";
import type { Tabs } from "./tabs.ts";

type Welcome = Extract<FrontendMessage, { readonly type: "welcome" }>;
type SentContext = Extract<FrontendMessage, { readonly type: "context" }>;

/** The last state that the frontend has sent. */
export type FrontendState = ReturnType<typeof createFrontendState>;

export function createFrontendState() {
  const welcome = signal<Welcome | undefined>(undefined);
  return {
    welcome,
    roots: signal<readonly string[]>([]),
    /** For paths of the companion's system. */
    paths: computed(() => createPaths(welcome.value?.separator ?? "/")),
    sessions: signal<readonly SessionSummary[]>([]),
    /** Oldest first. */
    proposals: signal<readonly ProposalSummary[]>([]),
    /** Oldest first. */
    turns: signal<readonly TurnSummary[]>([]),
    /** Newest first. */
    history: signal<readonly HistoryEntry[]>([]),
    /** Newest first. */
    comments: signal<readonly WaitingComments[]>([]),
    sentContext: signal<SentContext | undefined>(undefined),
  };
}

/** Counts the changes of open files on disk, and has unfolded folders watched. */
export type FileStamps = ReturnType<typeof createFileStamps>;

export function createFileStamps(
  tabs: Tabs,
  folders: ReadonlySignal<ReadonlySet<string>>,
  send: (message: PageMessage) => boolean,
) {
  const counters = new Map<string, ReturnType<typeof signal<number>>>();

  function counter(path: string) {
    const known = counters.get(path) ?? signal(0);
    counters.set(path, known);
    return known;
  }

  function repeat(): void {
    const files = tabs.list.value.flatMap((tab) => (tab.kind === "file" ? [tab.subject] : []));
    send({ type: "watch", paths: [...files, ...folders.value] });
  }

  effect(repeat);
  return {
    /** Increases with every change of the file. */
    changes: counter as (path: string) => ReadonlySignal<number>,
    changed: (path: string) => {
      const one = counter(path);
      one.value = (one.peek() ?? 0) + 1;
    },
    /** Sends what is watched again, to a frontend that has just started. */
    repeat,
  };
}
