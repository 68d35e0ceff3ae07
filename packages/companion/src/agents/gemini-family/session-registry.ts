import type { Context } from "../../core/context.ts";
import type { EventStream } from "../../transport/event-stream.ts";
import { httpError } from "../../transport/reply.ts";
import type { Agent } from "../agent.ts";
import { contextNews, toFrame } from "./frames.ts";
import type { FamilyAgent } from "./quirks.ts";
import { type Newcomer, Session, type SessionCore } from "./session.ts";

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

/** Every connected CLI, from `initialize` until it is gone. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #core: SessionCore;
  readonly #findLeft: (agent: string) => ReadonlySet<string>;
  readonly #stop: () => void;
  /** `performance.now()` when sessions that are over were looked for last. */
  #reapedAt = performance.now();

  /** @param findLeft files whose diffs killed companions of an agent have left */
  constructor(core: SessionCore, findLeft: (agent: string) => ReadonlySet<string>) {
    this.#core = core;
    this.#findLeft = findLeft;
    const unsubscribe = core.context.subscribe((context) => this.#broadcast(context));
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

  open(agent: FamilyAgent, newcomer: Newcomer): Session {
    const session = new Session(agent, newcomer, this.#core, this.#findLeft);
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
    const { emit } = this.#core.events;
    const { current } = this.#core.context;
    const stream = open();
    session.addStream(stream, lastEventId, (id) => toFrame(contextNews(current), id));
    emit({ kind: "stream-opened", session: session.info });
    emit({ kind: "context-sent", context: current, sessions: this.#streaming });
    stream.onClose(() => emit({ kind: "stream-closed", session: session.info }));
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
    return this.#core.sessions.all.filter(({ id }) => this.#sessions.get(id)?.isStreaming ?? true).length;
  }

  /** The context is serialised once for all streams. */
  #broadcast(context: Context): void {
    const frame = toFrame(contextNews(context));
    for (const session of this.#sessions.values()) session.writeContext(frame);
    this.#core.events.emit({ kind: "context-sent", context, sessions: this.#streaming });
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
