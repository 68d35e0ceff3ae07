import { randomUUID } from "node:crypto";
import type { Reviews } from "./changes/reviews.ts";
import { type CommentsToSend, toMessage } from "./comments/message.ts";
import type { Context } from "./context.ts";
import type { OnCompanionEvent, SessionInfo } from "./events.ts";
import { isMentions, type Mention, type PromptMessage, toPromptText } from "./prompt-message.ts";

/** What only some agents can do. */
export interface SessionCapabilities {
  /** Types a reference into the agent's prompt. The user still has to send it. */
  mention?(mention: Mention): void;

  /**
   * Puts a text into the agent's prompt as one paste, without Enter: only where the prompt is known to be there and
   * empty.
   * @param patience milliseconds in which the prompt has to be so
   */
  prompt?(text: PromptText, patience: number): Promise<PromptResult>;

  /**
   * A hook of the agent waits next to its question about a file. Resolves once the diff has ended: undefined where the
   * agent is to read nothing of that, or there is no diff.
   */
  hearDecision?(filePath: string, signal: AbortSignal): Promise<HeardDecision | undefined>;

  /** Its process, where it has not said so itself; undefined where the system does not tell. */
  findProcess?(): Promise<number | undefined>;
}

/**
 * A text for a prompt, without control characters but tabs and line feeds.
 * @param folder in which the agent runs, where that is known: paths inside are relative to it
 */
export type PromptText = (folder: string | undefined) => string;

/**
 * What has become of a text for a prompt: `busy` where the prompt can be reached and holds a text of the user's, or is
 * not there now.
 */
export type PromptResult = "typed" | "busy" | "unreached";

/** What an agent reads of a decision by its hook. */
export interface HeardDecision {
  readonly kind: "accepted" | "rejected";
  /** The user's comments. */
  readonly message: string;
  /** To be called once the hook has it. */
  readonly onDelivered: () => void;
}

/** An agent, by its name for people, whose prompt has a message; or whose prompt could have it, and is busy. */
export type Reached = { readonly agent: string } | { readonly busy: string };

/** One connected agent, from its first message until it is gone. */
export interface OpenSession {
  readonly info: SessionInfo;
  readonly isOver: boolean;
  /** Its user works with it just now. */
  markUsed(): void;
  /** Its user has sent a prompt just now. */
  notePrompt(): void;
  /** Idempotent; closes its proposals. @param reason a few words for the user */
  end(reason: string): Promise<void>;
}

export interface SessionsOptions {
  readonly reviews: Pick<Reviews, "endSession">;
  readonly onEvent: OnCompanionEvent;
  /** The user of a session has sent a prompt; only some agents say so. */
  readonly onPrompt?: (sessionId: string) => void;
}

/** How a client names itself that asks for an agent whose hook has called us. */
export const hookClient = "ide-companion-hook";

/** Milliseconds within which a CLI that has heard of a decision asks for the next prompt. */
const decisionPatience = 8000;

/** Milliseconds for a message of the user, who waits for it, in all sessions together. */
const sendPatience = 2000;

/** UTF-16 units of a name that an agent gives itself. */
const maxName = 80;

/** In one line, and as long as a line has room for. */
const toShortName = (name: string) =>
  name
    .slice(0, maxName)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();

/** Everybody who is connected, whatever protocol they speak. */
export class Sessions {
  /** The one that was used last comes last. */
  readonly #sessions = new Map<OpenSession, SessionCapabilities>();
  readonly #requests = new Map<string, number>();
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Everybody who is connected, oldest first. */
  get all(): readonly SessionInfo[] {
    const infos = [...this.#sessions.keys()].map(({ info }) => info);
    return infos.sort((a, b) => a.connectedAt - b.connectedAt);
  }

  /** Their processes, as far as they are known. */
  async processes(): Promise<readonly number[]> {
    const all = [...this.#sessions].map(([{ info }, { findProcess }]) => info.client.pid ?? findProcess?.());
    return (await Promise.all(all)).filter((pid) => pid !== undefined);
  }

  /** What the agent in a process is to read of the decision about a file, by a hook that waits for that. */
  async hearDecision(pid: number, filePath: string, signal: AbortSignal): Promise<HeardDecision | undefined> {
    const found = [...this.#sessions].find(([{ info }]) => info.client.pid === pid);
    return found?.[1].hearDecision?.(filePath, signal);
  }

  /** When each agent that keeps no connection asked last, in milliseconds since 1970, by its name for people. */
  get requests(): ReadonlyMap<string, number> {
    return this.#requests;
  }

  /** @param agent its name for people @param context what it is answered */
  noteRequest(agent: string, context: Context): void {
    this.#requests.set(agent, Date.now());
    this.#options.onEvent({ kind: "context-requested", agent, context });
  }

  /**
   * @param name the agent's name for people; with a number where another one has it
   * @param client as it names itself
   */
  open(name: string, client: SessionInfo["client"], capabilities: SessionCapabilities = {}): OpenSession {
    const { reviews, onEvent, onPrompt } = this.#options;
    const info = {
      id: randomUUID(),
      // A call of an agent that waits is no second agent.
      agent: client.name === hookClient ? name : this.#freeName(toShortName(name)),
      client: { ...client, name: toShortName(client.name), version: toShortName(client.version) },
      connectedAt: Date.now(),
    };
    let isOver = false;
    const session: OpenSession = {
      info,
      get isOver() {
        return isOver;
      },
      markUsed: () => {
        if (this.#sessions.delete(session)) this.#sessions.set(session, capabilities);
      },
      notePrompt: () => {
        session.markUsed();
        onPrompt?.(info.id);
      },
      end: async (reason) => {
        if (isOver) return;
        isOver = true;
        this.#sessions.delete(session);
        await reviews.endSession(info.id);
        onEvent({ kind: "session-closed", session: info, reason });
      },
    };
    this.#sessions.set(session, capabilities);
    onEvent({ kind: "session-opened", session: info });
    return session;
  }

  /**
   * Puts a message into the prompt of one agent that can take it, unsent: the one that was used last comes first.
   * References alone go in the agent's own message for them, where it has one.
   * @param mayType whether the message may be typed into the prompt of an agent that has none
   * @returns undefined when no prompt could be reached
   */
  async send(message: PromptMessage, mayType = true): Promise<Reached | undefined> {
    // Whether there is a text depends on no folder.
    const whole = mayType ? toPromptText(message) : undefined;
    const text: PromptText | undefined =
      whole === undefined ? undefined : (folder) => toPromptText(message, folder) ?? whole;
    const end = performance.now() + sendPatience;
    let busy: string | undefined;
    for (const [{ info }, { mention, prompt }] of [...this.#sessions].reverse()) {
      if (mention && isMentions(message)) {
        for (const one of message.mentions ?? []) mention(one);
        return { agent: info.agent };
      }
      const left = Math.max(0, end - performance.now());
      const result = text === undefined ? undefined : await prompt?.(text, left);
      if (result === "typed") return { agent: info.agent };
      if (result === "busy") busy ??= info.agent;
    }
    return busy === undefined ? undefined : { busy };
  }

  /**
   * Puts comments into the prompt of one session's agent.
   * @returns whether they are there; never, where that agent's prompt cannot be reached
   */
  async prompt(sessionId: string, comments: CommentsToSend): Promise<boolean> {
    const found = [...this.#sessions].find(([{ info }]) => info.id === sessionId);
    return (await found?.[1].prompt?.(() => toMessage(comments), decisionPatience)) === "typed";
  }

  /**
   * The same for comments whose session may be over: the agent of this name comes first, then the one used last.
   * @param agent its name for people
   * @returns the name of the agent that has them; undefined when none has
   */
  async promptAny(agent: string, comments: CommentsToSend): Promise<string | undefined> {
    const able = [...this.#sessions].filter(([, { prompt }]) => prompt !== undefined).reverse();
    const chosen = able.find(([{ info }]) => info.agent === agent) ?? able[0];
    const result = await chosen?.[1].prompt?.(() => toMessage(comments), decisionPatience);
    return result === "typed" ? chosen?.[0].info.agent : undefined;
  }

  #freeName(name: string): string {
    const taken = new Set(this.all.map(({ agent }) => agent));
    if (!taken.has(name)) return name;
    let number = 2;
    while (taken.has(`${name} ${number}`)) number += 1;
    return `${name} ${number}`;
  }
}
