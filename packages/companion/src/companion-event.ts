import type { IdeContext } from "./contract/context.ts";
import type { CloseReason, Proposal } from "./editor.ts";

/** One connected CLI, as people are told of it. */
export interface SessionInfo {
  readonly id: string;
  /** `Gemini CLI`, or `Gemini CLI 2` for the second one at once. */
  readonly agent: string;
  /** As the CLI names itself at `initialize`. */
  readonly client: { readonly name: string; readonly version: string };
  /** Milliseconds since 1970. */
  readonly connectedAt: number;
}

/** How a proposal ended. */
export type Settlement = (
  | { readonly kind: "accepted"; readonly content: string; readonly by: "user" | "agent" }
  | { readonly kind: "rejected"; readonly by: "user" | "agent" }
  | { readonly kind: "closed"; readonly reason: CloseReason }
) & {
  /** The user's edited text, when the agent will not take it: keep it within reach. */
  readonly unsavedEdits?: string;
};

/** Everything worth telling the user, as it happens. Holds no token. */
export type CompanionEvent =
  | { readonly kind: "session-opened"; readonly session: SessionInfo }
  | { readonly kind: "stream-opened"; readonly session: SessionInfo }
  | { readonly kind: "stream-closed"; readonly session: SessionInfo }
  | { readonly kind: "session-closed"; readonly session: SessionInfo; readonly reason: string }
  | { readonly kind: "context-sent"; readonly context: IdeContext; readonly sessions: number }
  | { readonly kind: "diff-opened"; readonly proposal: Proposal }
  | { readonly kind: "diff-settled"; readonly proposal: Proposal; readonly settlement: Settlement }
  | { readonly kind: "outcome-delivered"; readonly proposal: Proposal }
  /** An accepted text with the user's edits, which its agent has never taken to the file: keep it within reach. */
  | { readonly kind: "edits-untaken"; readonly proposal: Proposal; readonly content: string }
  | { readonly kind: "request-refused"; readonly status: number; readonly reason: string }
  /** Written after the start: for other roots, because somebody has deleted them, or at last. */
  | { readonly kind: "discovery-changed"; readonly files: readonly string[] }
  | { readonly kind: "warning"; readonly message: string };

export type OnCompanionEvent = (event: CompanionEvent) => void;

/** The one way of all events: to the companion's owner first, then to whoever else listens. */
export interface EventHub {
  readonly emit: OnCompanionEvent;
  subscribe(listener: OnCompanionEvent): () => void;
}

export function createEventHub(owner: OnCompanionEvent): EventHub {
  const listeners = new Set<OnCompanionEvent>();
  return {
    emit(event) {
      owner(event);
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
