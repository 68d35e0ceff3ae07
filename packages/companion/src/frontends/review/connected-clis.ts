import type { Context, Withheld } from "../../core/context.ts";
import type { CompanionEvent } from "../../core/events.ts";
import type { FrontendMessage, SessionSummary } from "./protocol.ts";

/** Which CLIs are connected, and what they were sent last. */
export class ConnectedClis {
  readonly #connected = new Map<string, SessionSummary>();
  #reported: { readonly context: Context; readonly sessions: number } = {
    context: { files: [] },
    sessions: 0,
  };
  #withheld: Withheld = { isPaused: false, excluded: [] };

  get sessions(): FrontendMessage {
    return { type: "sessions", sessions: [...this.#connected.values()] };
  }

  get context(): FrontendMessage {
    const { isPaused: paused, excluded } = this.#withheld;
    return { type: "context", ...this.#reported, excluded, paused };
  }

  /** @returns the message that tells the pages what the event has changed; undefined when it changes nothing here. */
  take(event: CompanionEvent): FrontendMessage | undefined {
    switch (event.kind) {
      case "session-opened":
      case "stream-opened":
      case "stream-closed":
        this.#connected.set(event.session.id, {
          ...event.session,
          streaming: event.kind === "stream-opened",
        });
        return this.sessions;
      case "session-closed":
        return this.#connected.delete(event.session.id) ? this.sessions : undefined;
      case "context-sent":
        this.#reported = { context: event.context, sessions: event.sessions };
        return this.context;
      case "sharing-changed":
        this.#withheld = event.withheld;
        return this.context;
      default:
        return undefined;
    }
  }
}
