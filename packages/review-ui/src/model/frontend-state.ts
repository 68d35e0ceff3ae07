import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createPaths, type Paths } from "../text/paths.ts";
import type {
  FrontendMessage,
  HistoryEntry,
  PageMessage,
  ProposalSummary,
  SessionSummary,
  TurnSummary,
} from "./api.ts";
import type { Tabs } from "./tabs.ts";

type Welcome = Extract<FrontendMessage, { readonly type: "welcome" }>;
type SentContext = Extract<FrontendMessage, { readonly type: "context" }>;

/** The last state that the frontend has sent. */
export interface FrontendState {
  readonly welcome: Signal<Welcome | undefined>;
  readonly roots: Signal<readonly string[]>;
  /** For paths of the companion's system. */
  readonly paths: ReadonlySignal<Paths>;
  readonly sessions: Signal<readonly SessionSummary[]>;
  /** Oldest first. */
  readonly proposals: Signal<readonly ProposalSummary[]>;
  /** Oldest first. */
  readonly turns: Signal<readonly TurnSummary[]>;
  /** Newest first. */
  readonly history: Signal<readonly HistoryEntry[]>;
  readonly sentContext: Signal<SentContext | undefined>;
}

export function createFrontendState(): FrontendState {
  const welcome = signal<Welcome | undefined>(undefined);
  return {
    welcome,
    roots: signal<readonly string[]>([]),
    paths: computed(() => createPaths(welcome.value?.separator ?? "/")),
    sessions: signal<readonly SessionSummary[]>([]),
    proposals: signal<readonly ProposalSummary[]>([]),
    turns: signal<readonly TurnSummary[]>([]),
    history: signal<readonly HistoryEntry[]>([]),
    sentContext: signal<SentContext | undefined>(undefined),
  };
}

/** Counts the changes of open files on disk, and has unfolded folders watched. */
export interface FileStamps {
  /** Increases with every change of the file. */
  changes(path: string): ReadonlySignal<number>;
  changed(path: string): void;
  /** Sends what is watched again, to a frontend that has just started. */
  repeat(): void;
}

export function createFileStamps(
  tabs: Tabs,
  folders: ReadonlySignal<ReadonlySet<string>>,
  send: (message: PageMessage) => boolean,
): FileStamps {
  const counters = new Map<string, ReturnType<typeof signal<number>>>();

  function counter(path: string) {
    const known = counters.get(path) ?? signal(0);
    counters.set(path, known);
    return known;
  }

  function repeat(): void {
    const files = tabs.list.value.flatMap((tab) => (tab.kind === "file" ? [tab.path] : []));
    send({ type: "watch", paths: [...files, ...folders.value] });
  }

  effect(repeat);
  return {
    changes: counter as (path: string) => ReadonlySignal<number>,
    changed: (path) => {
      const one = counter(path);
      one.value = (one.peek() ?? 0) + 1;
    },
    repeat,
  };
}
