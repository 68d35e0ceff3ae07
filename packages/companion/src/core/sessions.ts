import { randomUUID } from "node:crypto";
import type { OnCompanionEvent, SessionInfo } from "./events.ts";
import type { Reviews } from "./reviews.ts";

/** One connected agent, from its first message until it is gone. */
export interface OpenSession {
  readonly info: SessionInfo;
  readonly isOver: boolean;
  /** Idempotent; closes its proposals. @param reason a few words for the user */
  end(reason: string): Promise<void>;
}

export interface SessionsOptions {
  readonly reviews: Reviews;
  readonly onEvent: OnCompanionEvent;
}

/** Everybody who is connected, whatever protocol they speak. */
export class Sessions {
  readonly #open = new Set<OpenSession>();
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /**
   * @param name the agent's name for people; with a number where another one has it
   * @param client as it names itself
   */
  open(name: string, client: SessionInfo["client"]): OpenSession {
    const { reviews, onEvent } = this.#options;
    const info = { id: randomUUID(), agent: this.#freeName(name), client, connectedAt: Date.now() };
    let isOver = false;
    const session: OpenSession = {
      info,
      get isOver() {
        return isOver;
      },
      end: async (reason) => {
        if (isOver) return;
        isOver = true;
        this.#open.delete(session);
        await reviews.endSession(info.id);
        onEvent({ kind: "session-closed", session: info, reason });
      },
    };
    this.#open.add(session);
    onEvent({ kind: "session-opened", session: info });
    return session;
  }

  #freeName(name: string): string {
    const taken = new Set([...this.#open].map(({ info }) => info.agent));
    if (!taken.has(name)) return name;
    let number = 2;
    while (taken.has(`${name} ${number}`)) number += 1;
    return `${name} ${number}`;
  }
}
