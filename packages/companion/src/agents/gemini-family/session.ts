import { checkFilePath, type Outcome, type ReviewOwner } from "../../core/changes/review.ts";
import type { Proposal } from "../../core/editor.ts";
import type { SessionInfo } from "../../core/events.ts";
import type { Notice } from "../../core/sentences.ts";
import type { OpenSession, PromptResult, PromptText } from "../../core/sessions.ts";
import { pathKey } from "../../files/file-path.ts";
import { readFileNow } from "../../files/file-text.ts";
import type { EventStream } from "../../transport/event-stream.ts";
import type { Agent } from "../agent.ts";
import type { Core } from "../family.ts";
import { outcomeNews, toDecided, toFrame } from "./frames.ts";
import { type Letter, Outbox } from "./outbox.ts";
import { type ClientInfo, type FamilyAgent, plainQuirks, type Quirks, withByteOrderMark } from "./quirks.ts";

/** Streams of one session at most; a CLI has one, and briefly two when it re-opens it. */
const maxStreams = 4;

/** The parts of a companion that its sessions use. */
export type SessionCore = Pick<Core, "editor" | "context" | "reviews" | "sessions" | "events">;

/** Who opens a session. */
export interface Newcomer {
  readonly client: ClientInfo;
  /** Its name for people, when it announces that it has read our contract, with any agent's token. */
  readonly announced: string | undefined;
}

/** One connected CLI: the diffs that it opens, its streams, and the outcomes it has still to take. */
export class Session implements ReviewOwner {
  readonly agentEntry: Agent;
  /** The client knows our contract, which has comments in outcomes, and tools of ours. */
  readonly takesComments: boolean;
  /** `performance.now()` of the last sign of life: a request, or the end of the last stream. */
  lastSeen = performance.now();
  /** False for a CLI that only posts. */
  hasStreamed = false;
  readonly #streams: EventStream[] = [];
  #streamCount = 0;
  readonly #outbox = new Outbox();
  readonly #core: SessionCore;
  readonly #connection: OpenSession;
  /** Its agent's own, unless it has announced others. */
  readonly #quirks: Quirks;
  readonly #findLeft: (agent: string) => ReadonlySet<string>;

  /** @param findLeft files whose diffs killed companions of an agent have left */
  constructor(
    agent: FamilyAgent,
    { client, announced }: Newcomer,
    core: SessionCore,
    findLeft: (agent: string) => ReadonlySet<string>,
  ) {
    this.agentEntry = agent;
    this.takesComments = announced !== undefined;
    this.#core = core;
    this.#quirks = this.takesComments ? plainQuirks : agent.quirks;
    this.#findLeft = findLeft;
    const isEmpty = this.takesComments ? undefined : agent.hasEmptyPrompt;
    this.#connection = core.sessions.open(announced ?? agent.displayName, client, {
      findProcess: () => this.#findProcess(),
      ...(isEmpty && { prompt: (text, patience) => this.#prompt(isEmpty, text, patience) }),
    });
  }

  get info(): SessionInfo {
    return this.#connection.info;
  }

  get id(): string {
    return this.info.id;
  }

  get agent(): string {
    return this.info.agent;
  }

  get isOver(): boolean {
    return this.#connection.isOver;
  }

  get isStreaming(): boolean {
    return this.#streams.length > 0;
  }

  get canOpenStream(): boolean {
    return this.#streams.length < maxStreams;
  }

  /** @throws ReviewError when no diff can be shown */
  async openDiff(filePath: string, newContent: string): Promise<void> {
    const { reviews } = this.#core;
    checkFilePath(filePath, { roots: reviews.roots });
    // Of a newer proposal older outcomes are wrong answers.
    this.#outbox.forget(filePath);
    const now = readFileNow(filePath);
    const text = this.#quirks.dropsByteOrderMark ? withByteOrderMark(now.file, newContent) : newContent;
    await reviews.propose(this, {
      key: pathKey(filePath),
      filePath,
      newContent: text,
      now,
      opensOneDiff: this.#quirks.opensOneDiff,
    });
  }

  /**
   * @returns the answer in the form that this client understands
   * @throws ReviewError when this session has no such diff
   */
  async closeDiff(filePath: string, suppressNotification: boolean): Promise<string> {
    const { reviews } = this.#core;
    const key = pathKey(filePath);
    const proposal = reviews.find(this.id, key);
    const text = await reviews.close(this.id, key);
    // In the agent's first spelling of the path: it waits for that.
    if (proposal && !suppressNotification) this.deliver({ kind: "rejected" }, proposal);
    return this.#quirks.closeDiffAnswer(text, this.info.client);
  }

  /**
   * Adds a stream; the newest one carries the news from now on.
   * @param lastEventId what a resuming client has received.
   * @param firstFrame the present context, made for the id it shall carry: up to which outcome nothing will be
   *   sent again, and the number of the stream, since no two events of a session may have one id.
   */
  addStream(stream: EventStream, lastEventId: number | undefined, firstFrame: (id: string) => Buffer): void {
    if (lastEventId !== undefined) this.#outbox.resume(lastEventId);
    this.#streams.push(stream);
    this.hasStreamed = true;
    this.#streamCount += 1;
    stream.onClose(() => this.#removeStream(stream));
    stream.write(firstFrame(`${this.#outbox.baseId}-${this.#streamCount}`));
    if (this.#streamCount === 1) this.#freeFromKilled(stream);
    this.#sendHeld();
  }

  /** A CLI that has lost its companion over a diff opens no other one before it hears what has become of that. */
  #freeFromKilled(stream: EventStream): void {
    if (!this.#quirks.outwaitsCompanion) return;
    const open = new Set(this.#core.reviews.open.map((proposal) => pathKey(proposal.filePath)));
    for (const filePath of this.#findLeft(this.agent)) {
      if (!open.has(pathKey(filePath))) stream.write(toFrame(outcomeNews({ kind: "rejected", filePath })));
    }
  }

  deliver(outcome: Outcome, proposal: Proposal): void {
    const decided = toDecided(outcome, proposal, this.takesComments, this.#quirks);
    if (!decided) return;
    this.#outbox.add(decided, proposal);
    this.#sendHeld();
  }

  objectionTo(content: string, { newContent }: Proposal): Notice | undefined {
    if (content !== "" || newContent === "" || !this.#quirks.ignoresEmptyText) return undefined;
    // contract 4: an accepted empty text is ignored and the agent's own text written
    return { code: "empty-text", values: [this.agent] };
  }

  /** @param frame the same buffer for every session */
  writeContext(frame: Buffer): void {
    this.#streams.at(-1)?.writeContext(frame);
  }

  keepAlive(): void {
    for (const stream of this.#streams) stream.keepAlive();
  }

  /** @param reason a few words for the user */
  async end(reason: string): Promise<void> {
    for (const stream of this.#streams) stream.end();
    await this.#connection.end(reason);
  }

  async #findProcess(): Promise<number | undefined> {
    const stream = this.#streams.at(-1);
    if (!stream?.isOpen) return undefined;
    const { findClientProcess } = await import("../../system/processes/process-details.ts");
    return findClientProcess(stream.peer);
  }

  /** Types into the terminal of the CLI. */
  async #prompt(
    isEmpty: (screen: string) => boolean,
    text: PromptText,
    patience: number,
  ): Promise<PromptResult> {
    const stream = this.#streams.at(-1);
    if (!stream?.isOpen) return "unreached";
    // What looks for terminals is loaded when a user writes comments or sends something.
    const { typeInPromptOf } = await import("../prompt.ts");
    return typeInPromptOf(stream.peer, text, isEmpty, { editor: this.#core.editor, patience });
  }

  #sendHeld(): void {
    const newest = this.#streams.at(-1);
    if (!newest) return;
    for (const letter of this.#outbox.held) this.#send(letter, newest);
  }

  #send(letter: Letter, stream: EventStream): void {
    letter.state = "sent";
    letter.stream = stream;
    const onFlushed = () => {
      // Its stream has closed meanwhile, and it goes out on another one.
      if (letter.state !== "sent" || letter.stream !== stream) return;
      letter.state = "flushed";
      letter.flushedAt = performance.now();
      this.#core.events.emit({ kind: "outcome-delivered", proposal: letter.proposal });
    };
    stream.write(toFrame(outcomeNews(letter.outcome), letter.id), onFlushed);
  }

  /** A stream has closed: what never left is held again. */
  #removeStream(stream: EventStream): void {
    this.#streams.splice(this.#streams.indexOf(stream), 1);
    this.lastSeen = performance.now();
    this.#outbox.reclaim(stream);
    this.#sendHeld();
  }
}
