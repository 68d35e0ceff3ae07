import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { createPaths } from "../text/paths.ts";
import type {
  FrontendMessage,
  HistoryEntry,
  PageMessage,
  ProposalSummary,
  WaitingComments,
  WrittenFile,
} from "./api.ts";
import type { Tabs } from "./tabs.ts";

type Welcome = Extract<FrontendMessage, { readonly type: "welcome" }>;
type Status = Extract<FrontendMessage, { readonly type: "status" }>;

/** The last state that the frontend has sent. */
export type FrontendState = ReturnType<typeof createFrontendState>;

export function createFrontendState() {
  const welcome = signal<Welcome | undefined>(undefined);
  const status = signal<Omit<Status, "type">>({
    ...{ sessions: [], turns: [], context: { files: [] } },
    ...{ excluded: [], paused: false, review: [] },
  });
  return {
    welcome,
    roots: signal<readonly string[]>([]),
    /** For paths of the companion's system. */
    paths: computed(() => createPaths(welcome.value?.separator ?? "/")),
    status,
    sessions: computed(() => status.value.sessions),
    /** Oldest first. */
    proposals: signal<readonly ProposalSummary[]>([]),
    turns: computed(() => status.value.turns),
    /** Newest first. */
    history: signal<readonly HistoryEntry[]>([]),
    /** Newest first. */
    comments: signal<readonly WaitingComments[]>([]),
    /** Newest turn first. */
    written: signal<readonly WrittenFile[]>([]),
  };
}

export type FileStamps = ReturnType<typeof createFileStamps>;

/** Counts the changes of open files on disk, and has unfolded folders watched. */
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
