import { Listeners } from "../system/listeners.ts";
import type { RecoveredComments } from "./comments/comment.ts";
import type { Context, Withheld } from "./context.ts";
import type { CloseReason, Comment, Proposal } from "./editor.ts";
import type { RecoveredEdits } from "./edits/recovered-edits.ts";

/** One connected CLI, as people see it. */
export interface SessionInfo {
  readonly id: string;
  /** `Some CLI`, or `Some CLI 2` for the second one at once. */
  readonly agent: string;
  /** As the CLI names itself at `initialize`. */
  readonly client: {
    readonly name: string;
    readonly version: string;
    /** Its process, where it says so. */
    readonly pid?: number;
  };
  /** Milliseconds since 1970. */
  readonly connectedAt: number;
}

/** How a proposal ended; by a rule when the user has accepted the rest of its turn ahead. */
export type Settlement =
  | {
      readonly kind: "accepted";
      readonly content: string;
      readonly by: "user" | "agent" | "rule";
      /** What the user has sent with it; never none. */
      readonly comments?: readonly Comment[];
    }
  | { readonly kind: "rejected"; readonly by: "user" | "agent"; readonly comments?: readonly Comment[] }
  | { readonly kind: "closed"; readonly reason: CloseReason };

/**
 * What became of the file of an accepted proposal: it holds the accepted text, it is as it was, or it
 * has changed and holds another text.
 */
export type FileResult = "written" | "not-written" | "overwritten";

/** Everything worth reporting to the user, as it happens. Holds no token. */
export type CompanionEvent =
  | { readonly kind: "session-opened"; readonly session: SessionInfo }
  | { readonly kind: "stream-opened"; readonly session: SessionInfo }
  | { readonly kind: "stream-closed"; readonly session: SessionInfo }
  | { readonly kind: "session-closed"; readonly session: SessionInfo; readonly reason: string }
  | { readonly kind: "context-sent"; readonly context: Context; readonly sessions: number }
  /** An agent that keeps no connection has asked what the user looks at, and was answered. */
  | { readonly kind: "context-requested"; readonly agent: string; readonly context: Context }
  /** Other things of what the user looks at are kept from the agents than before. */
  | { readonly kind: "sharing-changed"; readonly withheld: Withheld; readonly wasPaused: boolean }
  | { readonly kind: "diff-opened"; readonly proposal: Proposal }
  | {
      readonly kind: "diff-settled";
      readonly proposal: Proposal;
      readonly settlement: Settlement;
      /** The text as its user had edited it; absent when it was as proposed. */
      readonly edited?: string;
    }
  | { readonly kind: "outcome-delivered"; readonly proposal: Proposal }
  /** Within two seconds after an acceptance; once more if the file is written later. */
  | {
      readonly kind: "file-checked";
      readonly proposal: Proposal;
      readonly result: FileResult;
      /** The accepted text has edits of the user's: where the file does not hold them, they are recovered. */
      readonly wasEdited: boolean;
    }
  /** The file does not hold what the user typed. The text is on disk already: show the user the way to it. */
  | { readonly kind: "edits-recovered"; readonly proposal: Proposal; readonly edits: RecoveredEdits }
  /** The list of recovered edits is another one. */
  | { readonly kind: "edits-changed" }
  /** The agent has what the user has sent with a decision: in its outcome, or in its prompt, where it waits for Enter. */
  | { readonly kind: "comments-delivered"; readonly proposal: Proposal; readonly by: "outcome" | "prompt" }
  /** No agent has received them. They are on disk already: show the user the way to them. */
  | {
      readonly kind: "comments-recovered";
      readonly proposal: Proposal;
      readonly comments: RecoveredComments;
      /** The user has sent them with a decision. */
      readonly wasSent: boolean;
    }
  /** The list of comments that wait is another one. */
  | { readonly kind: "comments-changed" }
  /** A turn is over in which an agent wrote without asking. */
  | {
      readonly kind: "turn-written";
      /** Its id. */
      readonly turn: string;
      /** As typed. */
      readonly agent: string;
      /** How many there are to look at. */
      readonly files: number;
    }
  | { readonly kind: "request-refused"; readonly status: number; readonly reason: string }
  /** Written after the start: for other roots, because somebody has deleted them, or at last. */
  | { readonly kind: "discovery-changed"; readonly files: readonly string[] }
  | { readonly kind: "warning"; readonly message: string };

/** Called with everything that happens in a companion. It must not throw. */
export type OnCompanionEvent = (event: CompanionEvent) => void;

/** The one way of all events: to the companion's owner first, then to everybody else who listens. */
export type EventHub = ReturnType<typeof createEventHub>;

export function createEventHub(owner: OnCompanionEvent) {
  const listeners = new Listeners<[event: CompanionEvent]>();
  return {
    emit(event: CompanionEvent) {
      owner(event);
      listeners.tell(event);
    },
    subscribe: listeners.add,
  };
}
