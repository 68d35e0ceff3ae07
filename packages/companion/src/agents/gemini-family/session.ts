import type { Proposal } from "../../core/editor.ts";
import type { SessionInfo } from "../../core/events.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { ReviewOwner } from "../../core/review-owner.ts";
import type { OpenSession } from "../../core/sessions.ts";
import type { EventStream } from "../../transport/event-stream.ts";
import { EmbeddedJson } from "../../transport/json-bytes.ts";
import type { Agent } from "../agent.ts";
import { type Decided, type Dialect, toFramePieces } from "./frames.ts";
import { type Letter, Outbox } from "./outbox.ts";
import type { Quirks } from "./quirks.ts";

/** Streams of one session at most; a CLI has one, and briefly two when it re-opens it. */
const maxStreams = 4;

interface OpenStream {
  readonly stream: EventStream;
  readonly dialect: Dialect;
}

export interface SessionOptions {
  readonly connection: OpenSession;
  readonly agent: Agent;
  /** Its agent's own, unless it has announced others. */
  readonly quirks: Quirks;
  /** It is offered tools that the contract does not have. */
  readonly listsCapabilities: boolean;
  onOutcomeDelivered(proposal: Proposal): void;
  /** An outcome waits and there is no stream. */
  onOutcomeHeld(): void;
}

/** One connected CLI: its streams, and the outcomes it has still to take. */
export class Session implements ReviewOwner {
  readonly connection: OpenSession;
  readonly agentEntry: Agent;
  /** `performance.now()` of the last sign of life: a request, or the end of the last stream. */
  lastSeen = performance.now();
  /** False for a CLI that only posts. */
  hasStreamed = false;
  readonly #streams: OpenStream[] = [];
  #streamCount = 0;
  readonly #outbox = new Outbox();
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.connection = options.connection;
    this.agentEntry = options.agent;
    this.#options = options;
  }

  get info(): SessionInfo {
    return this.connection.info;
  }

  get id(): string {
    return this.info.id;
  }

  get agent(): string {
    return this.info.agent;
  }

  get isOver(): boolean {
    return this.connection.isOver;
  }

  get listsCapabilities(): boolean {
    return this.#options.listsCapabilities;
  }

  get quirks(): Quirks {
    return this.#options.quirks;
  }

  /** The text that answers this client's `closeDiff`. */
  closeDiffAnswer(content: string): string | EmbeddedJson {
    const answer = this.quirks.closeDiffAnswer(content, this.info.client);
    return typeof answer === "string" ? answer : new EmbeddedJson(answer.json);
  }

  get isStreaming(): boolean {
    return this.#streams.length > 0;
  }

  get canOpenStream(): boolean {
    return this.#streams.length < maxStreams;
  }

  /**
   * Adds a stream; the newest one carries the news from now on.
   * @param lastEventId what a resuming client has received.
   * @param firstFrame the present context, made for the id it shall carry: up to which outcome nothing will be
   *   sent again, and the number of the stream, since no two events of a session may have one id.
   */
  addStream(opened: OpenStream, lastEventId: number | undefined, firstFrame: (id: string) => Buffer): void {
    const { stream } = opened;
    if (lastEventId !== undefined) this.#outbox.resume(lastEventId);
    this.#streams.push(opened);
    this.hasStreamed = true;
    this.#streamCount += 1;
    stream.onClose(() => this.#removeStream(stream));
    stream.write(firstFrame(`${this.#outbox.baseId}-${this.#streamCount}`));
    this.#sendHeld();
  }

  deliver(outcome: Outcome, proposal: Proposal): void {
    const decided = this.#toDecided(outcome, proposal);
    if (!decided) return;
    this.#outbox.add(decided, proposal);
    this.#sendHeld();
  }

  objectionTo(content: string, { newContent }: Proposal): string | undefined {
    if (content !== "" || newContent === "" || !this.quirks.ignoresEmptyText) return undefined;
    // contract 4: an accepted empty text is ignored and the agent's own text written
    return `${this.agent} does not take an empty text: it would write its own proposal instead. Reject the change, then empty the file yourself.`;
  }

  /** A newer proposal for this path is coming: older outcomes of it are wrong answers. */
  forgetOutcomes(filePath: string): void {
    this.#outbox.forget(filePath);
  }

  /** @param frame gives the context in a dialect; the same buffer for every session. */
  writeContext(frame: (dialect: Dialect) => Buffer): void {
    const newest = this.#streams.at(-1);
    newest?.stream.writeContext(frame(newest.dialect));
  }

  keepAlive(): void {
    for (const { stream } of this.#streams) stream.keepAlive();
  }

  /** @param reason a few words for the user */
  async end(reason: string): Promise<void> {
    for (const { stream } of this.#streams) stream.end();
    await this.connection.end(reason);
  }

  /**
   * Sends what is held on another stream: for a session that never opened one.
   */
  sendHeldOn(opened: OpenStream): void {
    for (const letter of this.#outbox.held) this.#send(letter, opened);
  }

  #toDecided(outcome: Outcome, { filePath }: Proposal): Decided | undefined {
    if (outcome.kind === "accepted") return { kind: "accepted", filePath, content: outcome.content };
    if (outcome.kind === "rejected") return { kind: "rejected", filePath };
    const waitsOn = outcome.reason === "shutdown" && this.quirks.outwaitsCompanion;
    return waitsOn ? { kind: "rejected", filePath } : undefined;
  }

  #sendHeld(): void {
    const newest = this.#streams.at(-1);
    if (newest) this.sendHeldOn(newest);
    else if (this.#outbox.held.length > 0) this.#options.onOutcomeHeld();
  }

  #send(letter: Letter, { stream, dialect }: OpenStream): void {
    letter.state = "sent";
    letter.stream = stream;
    // Its stream may close meanwhile, and then it goes out on another one.
    const isOnItsWay = () => letter.state === "sent" && letter.stream === stream;
    const onFlushed = () => {
      if (!isOnItsWay()) return;
      letter.state = "flushed";
      letter.flushedAt = performance.now();
      this.#options.onOutcomeDelivered(letter.proposal);
    };
    const pieces = toFramePieces(dialect.outcome(letter.outcome), letter.id);
    const write = (encoded: readonly Buffer[]) => {
      if (isOnItsWay()) stream.writePieces(encoded, onFlushed);
    };
    if (pieces instanceof Promise) void pieces.then(write);
    else write(pieces);
  }

  #removeStream(stream: EventStream): void {
    const index = this.#streams.findIndex((opened) => opened.stream === stream);
    if (index >= 0) this.#streams.splice(index, 1);
    this.lastSeen = performance.now();
    this.#outbox.reclaim(stream);
    this.#sendHeld();
  }
}
