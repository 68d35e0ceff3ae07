import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createPaths, type Paths } from "../text/paths.ts";
import type { FrontendMessage, HistoryEntry, ProposalSummary, SessionSummary } from "./wire.ts";

type Welcome = Extract<FrontendMessage, { readonly type: "welcome" }>;
type Told = Extract<FrontendMessage, { readonly type: "context" }>;

/** What the frontend has said last. */
export interface FrontendState {
  readonly welcome: Signal<Welcome | undefined>;
  readonly roots: Signal<readonly string[]>;
  /** Of the companion's system. */
  readonly paths: ReadonlySignal<Paths>;
  readonly sessions: Signal<readonly SessionSummary[]>;
  /** Oldest first. */
  readonly proposals: Signal<readonly ProposalSummary[]>;
  /** Newest first. */
  readonly history: Signal<readonly HistoryEntry[]>;
  readonly told: Signal<Told | undefined>;
}

export function createFrontendState(): FrontendState {
  const welcome = signal<Welcome | undefined>(undefined);
  return {
    welcome,
    roots: signal<readonly string[]>([]),
    paths: computed(() => createPaths(welcome.value?.separator ?? "/")),
    sessions: signal<readonly SessionSummary[]>([]),
    proposals: signal<readonly ProposalSummary[]>([]),
    history: signal<readonly HistoryEntry[]>([]),
    told: signal<Told | undefined>(undefined),
  };
}
