import type { LiveFinding } from "../../agents/agent.ts";
import type { WatchDecision, WatchReport } from "../../client/watch-companion.ts";
import type { WatchEvent } from "./follow.ts";

/** How many decisions are remembered. */
const remembered = 20;

/** What is known of the companion that is watched. */
export interface WatchState {
  /** The companion; undefined while there is none. */
  readonly finding?: LiveFinding;
  readonly report?: WatchReport;
  /** One that serves the folder, but does not tell what it does. */
  readonly silent?: LiveFinding;
  /** Newest first; of companions that have gone as well. */
  readonly decisions: readonly WatchDecision[];
}

/** The state after an event. */
export function toNextState(state: WatchState, event: WatchEvent): WatchState {
  const { decisions } = state;
  switch (event.kind) {
    case "found":
      return { finding: event.finding, decisions };
    case "report":
      return { ...state, report: event };
    case "decision":
      return { ...state, decisions: [event, ...decisions].slice(0, remembered) };
    case "waiting":
      return { decisions, ...(event.silent && { silent: event.silent }) };
    case "lost":
      return { decisions };
  }
}
