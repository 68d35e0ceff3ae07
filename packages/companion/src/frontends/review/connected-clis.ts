import type { Context, Withheld } from "../../core/context.ts";
import type { CompanionEvent, SessionInfo } from "../../core/events.ts";
import type { FrontendMessage, SessionSummary } from "./protocol.ts";

/** Which CLIs are connected, and what they were sent last. */
export interface ConnectedClis {
  readonly sessions: FrontendMessage & { readonly type: "sessions" };
  readonly context: FrontendMessage & { readonly type: "context" };
  /** @returns the message that tells the pages what the event has changed; undefined when it changes nothing here. */
  take(event: CompanionEvent): FrontendMessage | undefined;
}

export function createConnectedClis(): ConnectedClis {
  const connected = new Map<string, SessionSummary>();
  let reported: { readonly context: Context; readonly sessions: number } = {
    context: { files: [] },
    sessions: 0,
  };
  let withheld: Withheld = { isPaused: false, excluded: [] };
  const sessions = () => ({ type: "sessions", sessions: [...connected.values()] }) as const;
  const context = () => {
    const { isPaused: paused, excluded } = withheld;
    return { type: "context", ...reported, excluded, paused } as const;
  };

  function enter(session: SessionInfo, streaming: boolean): FrontendMessage {
    connected.set(session.id, { ...session, streaming });
    return sessions();
  }

  function take(event: CompanionEvent): FrontendMessage | undefined {
    switch (event.kind) {
      case "session-opened":
      case "stream-closed":
        return enter(event.session, false);
      case "stream-opened":
        return enter(event.session, true);
      case "session-closed":
        return connected.delete(event.session.id) ? sessions() : undefined;
      case "context-sent":
        reported = { context: event.context, sessions: event.sessions };
        return context();
      case "sharing-changed":
        withheld = event.withheld;
        return context();
      default:
        return undefined;
    }
  }

  return {
    get sessions() {
      return sessions();
    },
    get context() {
      return context();
    },
    take,
  };
}
