import type { Withheld } from "../../core/context.ts";
import type { Proposal } from "../../core/editor.ts";
import type { CompanionEvent, SessionInfo } from "../../core/events.ts";

/** Who is connected and what waits for a decision, by the companion's events. */
export type ConnectionStatus = ReturnType<typeof createConnectionStatus>;

/** Follows a companion by its events: give it each one from the start. */
export function createConnectionStatus() {
  const sessions = new Map<string, SessionInfo>();
  const diffs = new Map<string, Proposal>();
  let withheld: Withheld = { isPaused: false, excluded: [] };
  return {
    /** Oldest first. */
    get sessions(): readonly SessionInfo[] {
      return [...sessions.values()];
    },
    /** Oldest first. */
    get diffs(): readonly Proposal[] {
      return [...diffs.values()];
    },
    /** What agents are not sent. */
    get withheld(): Withheld {
      return withheld;
    },
    /** @returns whether anything here has changed. */
    take(event: CompanionEvent): boolean {
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
