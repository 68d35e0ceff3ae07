import { Listeners } from "../system/listeners.ts";
import type { Context, Withheld } from "./context.ts";
import type { Proposal } from "./editor.ts";
import type { CompanionEvent, SessionInfo } from "./events.ts";

/** A connected CLI. */
export interface ConnectedSession extends SessionInfo {
  /** A change can be sent to it at this moment. */
  readonly streaming: boolean;
}

/** The parts that have changed. */
export type StatusPart = "sessions" | "diffs" | "sent" | "withheld";

/** Who is connected, what waits for a decision, and what the agents were sent. */
export interface CompanionStatus {
  /** Oldest first. */
  readonly sessions: readonly ConnectedSession[];
  /** The proposals that wait, oldest first. */
  readonly diffs: readonly Proposal[];
  /** What the agents were sent last. */
  readonly sent: Context;
  /** What agents are not sent. */
  readonly withheld: Withheld;
  /** Calls back with the part that has changed. @returns how to stop */
  onChange(listener: (part: StatusPart) => void): () => void;
}

/** The same, by the companion's events. */
export class Status implements CompanionStatus {
  readonly #sessions = new Map<string, ConnectedSession>();
  readonly #diffs = new Map<string, Proposal>();
  readonly #changed = new Listeners<[part: StatusPart]>();
  readonly onChange = this.#changed.add;
  #sent: Context = { files: [] };
  #withheld: Withheld = { isPaused: false, excluded: [] };

  get sessions(): readonly ConnectedSession[] {
    return [...this.#sessions.values()];
  }

  get diffs(): readonly Proposal[] {
    return [...this.#diffs.values()];
  }

  get sent(): Context {
    return this.#sent;
  }

  get withheld(): Withheld {
    return this.#withheld;
  }

  /** Learns from what happens in this companion. */
  take(event: CompanionEvent): void {
    const part = this.#change(event);
    if (part) this.#changed.tell(part);
  }

  #change(event: CompanionEvent): StatusPart | undefined {
    switch (event.kind) {
      case "session-opened":
      case "stream-opened":
      case "stream-closed":
        this.#sessions.set(event.session.id, { ...event.session, streaming: event.kind === "stream-opened" });
        return "sessions";
      case "session-closed":
        return this.#sessions.delete(event.session.id) ? "sessions" : undefined;
      case "diff-opened":
        this.#diffs.set(event.proposal.id, event.proposal);
        return "diffs";
      case "diff-settled":
        return this.#diffs.delete(event.proposal.id) ? "diffs" : undefined;
      case "context-sent":
        this.#sent = event.context;
        return "sent";
      case "sharing-changed":
        this.#withheld = event.withheld;
        return "withheld";
      default:
        return undefined;
    }
  }
}
