import type { Withheld } from "../../core/context.ts";
import type { Proposal } from "../../core/editor.ts";
import type { CompanionEvent, SessionInfo } from "../../core/events.ts";

/** Who is connected and what waits for a decision, by the companion's events. */
export interface ConnectionStatus {
  /** Oldest first. */
  readonly sessions: readonly SessionInfo[];
  /** Oldest first. */
  readonly diffs: readonly Proposal[];
  /** What agents are not sent. */
  readonly withheld: Withheld;
  /** @returns whether anything here has changed. */
  take(event: CompanionEvent): boolean;
}

/** Follows a companion by its events: give it each one from the start. */
export function createConnectionStatus(): ConnectionStatus {
  const sessions = new Map<string, SessionInfo>();
  const diffs = new Map<string, Proposal>();
  let withheld: Withheld = { isPaused: false, excluded: [] };
  return {
    get sessions() {
      return [...sessions.values()];
    },
    get diffs() {
      return [...diffs.values()];
    },
    get withheld() {
      return withheld;
    },
    take(event) {
      switch (event.kind) {
        case "session-opened":
          sessions.set(event.session.id, event.session);
          return true;
        case "session-closed":
          return sessions.delete(event.session.id);
        case "diff-opened":
          diffs.set(event.proposal.id, event.proposal);
          return true;
        case "diff-settled":
          return diffs.delete(event.proposal.id);
        case "sharing-changed":
          withheld = event.withheld;
          return true;
        default:
          return false;
      }
    },
  };
}
