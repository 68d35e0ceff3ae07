import type { Context } from "../../core/context.ts";
import type { ContextFeed } from "../../core/context-feed.ts";
import type { OptionalCapabilities } from "../../core/editor.ts";
import type { OnCompanionEvent } from "../../core/events.ts";
import type { PromptResult, PromptText, SessionCapabilities, Sessions } from "../../core/sessions.ts";
import type { EventStream } from "../../transport/event-stream.ts";
import { httpError } from "../../transport/reply.ts";
import type { Agent } from "../agent.ts";
import { contextNews, toFrame } from "./frames.ts";
import { type ClientInfo, type FamilyAgent, plainQuirks } from "./quirks.ts";
import { Session, type SessionOptions } from "./session.ts";

/** All in milliseconds. */
const limits = {
  /** A CLI re-opens a broken stream after a second. */
  reopening: 2500,
  /** A session without a stream is over. */
  withoutStream: 10_000,
  /** A CLI that only posts. */
  neverStreamed: 10 * 60_000,
  /** A CLI drops a stream that is silent for five minutes. */
  keepAlive: 15_000,
  /** How often sessions that are over are looked for. */
  reaping: 1000,
};

/** One agent's sessions at once; each is a CLI on this machine, so more of them is a fault, and no other agent's. */
export const maxSessions = 256;

export interface SessionRegistryOptions extends Pick<SessionOptions, "book" | "findLeft"> {
  readonly editor: OptionalCapabilities;
  readonly feed: ContextFeed;
  readonly connections: Sessions;
  readonly onEvent: OnCompanionEvent;
}

/** Every connected CLI, from `initialize` until it is gone. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  /** The streams by which they are found. */
  readonly #newest = new WeakMap<Session, EventStream>();
  readonly #options: SessionRegistryOptions;
  readonly #stop: () => void;
  /** `performance.now()` when sessions that are over were looked for last. */
  #reapedAt = performance.now();

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    const unsubscribe = options.feed.subscribe((context) => this.#broadcast(context));
    const keepAlive = setInterval(() => this.#keepAlive(), limits.keepAlive).unref();
    const reaper = setInterval(() => this.#reap(), limits.reaping).unref();
    this.#stop = () => {
      unsubscribe();
      clearInterval(keepAlive);
      clearInterval(reaper);
    };
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Whether the agent can have one more session; one whose stream is gone for good makes room for it. */
  async makeRoom(agent: Agent): Promise<boolean> {
    const own = this.all.filter((session) => session.agentEntry === agent);
    if (own.length < maxSessions) return true;
    const [gone] = own
      .filter((session) => session.hasStreamed && !session.isStreaming)
      .filter((session) => performance.now() - session.lastSeen > limits.reopening)
      .sort((a, b) => a.lastSeen - b.lastSeen);
    if (gone) await this.end(gone, "it went away");
    return gone !== undefined;
  }

  /** @returns the session of this id, when it is this agent's. */
  find(id: string, agent: Agent): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.agentEntry === agent ? session : undefined;
  }

  open(agent: FamilyAgent, { client, announced }: Newcomer): Session {
    const name = announced ?? agent.displayName;
    const hasEmptyPrompt = announced === undefined ? agent.hasEmptyPrompt : undefined;
    const capabilities: SessionCapabilities = {
      findProcess: () => this.#findProcess(session),
      ...(hasEmptyPrompt && {
        prompt: (text, patience) => this.#prompt(session, hasEmptyPrompt, text, patience),
      }),
    };
    const session = new Session({
      book: this.#options.book,
      connection: this.#options.connections.open(name, client, capabilities),
      agent,
      quirks: announced === undefined ? agent.quirks : plainQuirks,
      findLeft: this.#options.findLeft,
      isAnnounced: announced !== undefined,
      onOutcomeDelivered: (proposal) => this.#options.onEvent({ kind: "outcome-delivered", proposal }),
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  /**
   * Adds a stream to a session, which gets the present context on it at once.
   * @throws HttpError 409 when the session has too many.
   */
  openStream(session: Session, open: () => EventStream, lastEventId: number | undefined): void {
    if (!session.canOpenStream) {
      throw httpError(409, "This session has too many streams open: close one first");
    }
    const { onEvent, feed } = this.#options;
    const stream = open();
    this.#newest.set(session, stream);
    session.addStream(stream, lastEventId, (id) => toFrame(contextNews(feed.current), id));
    onEvent({ kind: "stream-opened", session: session.info });
    onEvent({ kind: "context-sent", context: feed.current, sessions: this.#streaming });
    stream.onClose(() => onEvent({ kind: "stream-closed", session: session.info }));
  }

  /** @param reason a few words for the user. */
  async end(session: Session, reason: string): Promise<void> {
    if (!this.#sessions.delete(session.id)) return;
    await session.end(reason);
  }

  /** Ends all sessions; their diffs have been closed before. */
  async close(): Promise<void> {
    this.#stop();
    await Promise.all(this.all.map((session) => this.end(session, "the companion stops")));
  }

  /** Those of other protocols are streams themselves, and hear of the same context. */
  get #streaming(): number {
    const { connections } = this.#options;
    return connections.all.filter(({ id }) => this.#sessions.get(id)?.isStreaming ?? true).length;
  }

  async #findProcess(session: Session): Promise<number | undefined> {
    const stream = this.#newest.get(session);
    if (!stream?.isOpen) return undefined;
    const { findClientProcess } = await import("../../system/processes/process-details.ts");
    return findClientProcess(stream.peer);
  }

  /** Types into the terminal of the CLI that has opened a session. */
  async #prompt(
    session: Session,
    isEmpty: (screen: string) => boolean,
    text: PromptText,
    patience: number,
  ): Promise<PromptResult> {
    const stream = this.#newest.get(session);
    if (!stream?.isOpen) return "unreached";
    // What looks for terminals is loaded when a user writes comments or sends something.
    const { typeInPromptOf } = await import("../prompt.ts");
    return typeInPromptOf(stream.peer, text, isEmpty, { editor: this.#options.editor, patience });
  }

  /** The context is serialised once for all streams. */
  #broadcast(context: Context): void {
    const frame = toFrame(contextNews(context));
    for (const session of this.#sessions.values()) session.writeContext(frame);
    this.#options.onEvent({ kind: "context-sent", context, sessions: this.#streaming });
  }

  #keepAlive(): void {
    for (const session of this.#sessions.values()) session.keepAlive();
  }

  #reap(): void {
    const now = performance.now();
    const late = now - this.#reapedAt - limits.reaping;
    this.#reapedAt = now;
    // The process was stopped, or the machine slept: what came meanwhile is only now being read.
    if (late > limits.reaping) for (const session of this.all) session.lastSeen += late;
    for (const session of this.all) {
      const limit = session.hasStreamed ? limits.withoutStream : limits.neverStreamed;
      if (!session.isStreaming && now - session.lastSeen >= limit) void this.end(session, "it went away");
    }
  }
}

/** Who opens a session. */
interface Newcomer {
  readonly client: ClientInfo;
  /** Its name for people, when it announces that it has read our contract, with any agent's token. */
  readonly announced: string | undefined;
}
