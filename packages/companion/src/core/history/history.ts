import { sizeOf } from "../../files/line-diff.ts";
import { messageOf } from "../../system/error-message.ts";
import { Listeners } from "../../system/listeners.ts";
import type { Proposal } from "../editor.ts";
import { FileCheck } from "../edits/file-check.ts";
import type { CompanionEvent, FileResult, Settlement } from "../events.ts";
import { hunksOf } from "../hunks.ts";
import type { OutcomeCode } from "../sentences.ts";
import type { Sharing } from "../sharing/sharing.ts";
import {
  type HistoryFolder,
  historyLimits,
  type Later,
  maxUnits,
  type PastDecision,
  type ScannedDecision,
} from "./past-decision.ts";

/** Milliseconds: a proposal that its agent closes within a frame nobody has seen. */
const frame = 16;

/** Milliseconds for which decisions are collected before they are written. */
const writingDelay = 100;

/** Milliseconds until what the disk has not taken is written again. */
const retryDelay = 5000;

/** Decisions whose file is still looked at. */
const maxFollowed = 256;

/** The oldest are looked for once in so many writings. */
const pruningPace = 100;

export interface HistoryOptions {
  readonly folder: HistoryFolder;
  readonly sharing: Pick<Sharing, "check">;
  /** The turn that runs in a session. */
  readonly turnOf?: (sessionId: string) => string | undefined;
  /** Called with a sentence for the user. */
  readonly onWarning: (message: string) => void;
}

type Settled = Extract<CompanionEvent, { readonly kind: "diff-settled" }>;

/** Every decision of the last weeks, of all companions of this user: what was proposed, what became of it, when. */
export class History {
  readonly #folder: HistoryFolder;
  readonly #sharing: Pick<Sharing, "check">;
  readonly #turnOf: NonNullable<HistoryOptions["turnOf"]>;
  readonly #onWarning: (message: string) => void;
  /** When the proposals that wait were opened, by their ids. */
  readonly #opened = new Map<string, number>();
  /** Ids of decisions by those of their proposals: what becomes of their files is not known at once. */
  readonly #followed = new Map<string, string>();
  readonly #unwritten = new Map<string, PastDecision>();
  /** Of decisions whose texts may still turn out to be kept from agents. */
  readonly #keeping = new Set<Promise<void>>();
  /** Of files that an editor shows undone or put in, by the ids of their decisions. */
  readonly #checks = new Map<string, FileCheck>();
  readonly #changed = new Listeners();
  /** Calls back whenever the list is another one. @returns how to stop */
  readonly onChange = this.#changed.add;
  #timer: NodeJS.Timeout | undefined;
  #hasWarned = false;
  #written = 0;

  constructor({ folder, sharing, turnOf = () => undefined, onWarning }: HistoryOptions) {
    this.#folder = folder;
    this.#sharing = sharing;
    this.#turnOf = turnOf;
    this.#onWarning = onWarning;
  }

  /** Resolves once the texts of all decisions are here to be written. */
  get known(): Promise<unknown> {
    return Promise.allSettled(this.#keeping);
  }

  /** Newest first, without their texts. */
  list(): readonly ScannedDecision[] {
    this.flush();
    return [...this.#folder.scan().records].sort((one, other) => other.at - one.at);
  }

  read(id: string): PastDecision | undefined {
    this.flush();
    return this.#folder.read(id);
  }

  /** @returns the id of the proposal of this run that was decided so; undefined when it is none of the last ones */
  proposalOf(id: string): string | undefined {
    return [...this.#followed].find(([, decision]) => decision === id)?.[0];
  }

  /** The user has undone a decision, or has put its change into the file afterwards. */
  note(id: string, later: Later): void {
    const decision = this.#unwritten.get(id) ?? this.#folder.read(id);
    if (decision) this.#writeSoon({ ...decision, later });
  }

  /** The editor shows the file so, unsaved: it is noted once the file holds this text. */
  noteOnceSaved(id: string, later: Later, { filePath, text }: { filePath: string; text: string }): void {
    this.#checks.get(id)?.stop();
    const onResult = (result: FileResult) => {
      if (result === "written") this.note(id, later);
    };
    const onEnd = () => this.#checks.delete(id);
    this.#checks.set(id, new FileCheck({ filePath, text, stamp: "", onResult, onEnd }));
  }

  /** Forgets a decision for good. @returns false when there is none of this id */
  discard(id: string): boolean {
    this.flush();
    return this.#folder.remove(id);
  }

  /** Learns from what happens in this companion. */
  take(event: CompanionEvent): void {
    if (event.kind === "diff-opened") this.#opened.set(event.proposal.id, performance.now());
    if (event.kind === "diff-settled") this.#settle(event);
    if (event.kind === "file-checked") this.#change(event.proposal, { fileResult: event.result });
    if (event.kind === "edits-recovered") this.#change(event.proposal, { editsId: event.edits.id });
  }

  /** Looks at the files once more, and writes what is held back. Synchronous, for exit handlers. */
  close(): void {
    for (const check of [...this.#checks.values()]) {
      check.conclude();
      check.stop();
    }
    this.flush();
  }

  /** Writes what is held back. Synchronous. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [id, decision] of [...this.#unwritten]) if (this.#write(decision)) this.#unwritten.delete(id);
    // There may be room, or a descriptor, in a moment.
    if (this.#unwritten.size > 0) this.#timer = setTimeout(() => this.flush(), retryDelay).unref();
  }

  #settle(event: Settled): void {
    const { proposal, settlement } = event;
    const opened = this.#opened.get(proposal.id);
    this.#opened.delete(proposal.id);
    const isAgents = settlement.kind === "closed" ? settlement.reason === "agent" : settlement.by === "agent";
    // One that nobody has seen is no decision, and its file may have been written by now.
    if (opened === undefined || (isAgents && performance.now() - opened < frame)) return;
    const turn = this.#turnOf(proposal.sessionId);
    const decision: PastDecision = {
      id: this.#folder.newId(),
      at: Date.now(),
      agent: proposal.agent,
      filePath: proposal.filePath,
      outcome: settlement.kind,
      code: outcomeOf(proposal, settlement),
      ...(turn !== undefined && { turn }),
    };
    this.#follow(proposal.id, decision.id);
    this.#writeSoon(decision);
    const kept = this.#keep(event).finally(() => this.#keeping.delete(kept));
    this.#keeping.add(kept);
  }

  #follow(proposalId: string, id: string): void {
    this.#followed.set(proposalId, id);
    const [oldest] = this.#followed.keys();
    if (this.#followed.size > maxFollowed && oldest !== undefined) this.#followed.delete(oldest);
  }

  async #keep({ proposal, settlement, edited }: Settled): Promise<void> {
    const { newContent: proposed } = proposal;
    const before = toBefore(proposal);
    const accepted = settlement.kind === "accepted" ? settlement.content : proposed;
    const final = settlement.kind === "accepted" ? accepted : (edited ?? proposed);
    const isKeptFromAgents = await this.#sharing.check(proposal.filePath);
    if (before !== undefined) this.#change(proposal, sizeOf(hunksOf(proposal, final)));
    if (isKeptFromAgents) return;
    if (settlement.kind !== "closed" && settlement.comments)
      this.#change(proposal, { comments: settlement.comments });
    const texts = {
      ...(before !== undefined && { before }),
      proposed,
      ...(accepted !== proposed && { accepted }),
      ...(edited !== undefined && edited !== accepted && { edited }),
    };
    if (Object.values(texts).reduce((units, text) => units + (text?.length ?? 0), 0) > maxUnits) return;
    this.#change(proposal, { texts });
  }

  /** One that its user has discarded meanwhile stays so. */
  #change({ id: proposalId }: Proposal, news: Partial<PastDecision>): void {
    const id = this.#followed.get(proposalId);
    const decision = id === undefined ? undefined : (this.#unwritten.get(id) ?? this.#folder.read(id));
    if (decision) this.#writeSoon({ ...decision, ...news });
  }

  #writeSoon(decision: PastDecision): void {
    this.#unwritten.set(decision.id, decision);
    const [oldest] = this.#unwritten.keys();
    if (this.#unwritten.size > maxFollowed && oldest !== undefined) this.#unwritten.delete(oldest);
    this.#changed.tell();
    this.#timer ??= setTimeout(() => this.flush(), writingDelay).unref();
  }

  /** @returns whether it is on disk */
  #write(decision: PastDecision): boolean {
    try {
      this.#folder.write(decision, false);
      if (this.#written % pruningPace === 0) this.#folder.prune(historyLimits);
      this.#written += 1;
      return true;
    } catch (error) {
      if (this.#hasWarned) return false;
      this.#hasWarned = true;
      this.#onWarning(`The history cannot be saved in ${this.#folder.path}: ${messageOf(error)}.`);
      return false;
    }
  }
}

/** The file that a change was decided against; null where there was none, undefined where it holds no text. */
function toBefore({ base }: Proposal): string | null | undefined {
  if (base.kind === "missing") return null;
  return base.kind === "text" && base.exact && base.text.length <= maxUnits ? base.text : undefined;
}

export function outcomeOf({ newContent }: Proposal, settlement: Settlement): OutcomeCode {
  if (settlement.kind === "closed") return `closed: ${settlement.reason}`;
  if (settlement.kind === "rejected") return settlement.by === "agent" ? "rejected-by-agent" : "rejected";
  const edited = settlement.content === newContent ? "" : "-edited";
  if (settlement.by === "rule") return `accepted-ahead${edited}`;
  return settlement.by === "agent" ? `accepted-by-agent${edited}` : `accepted${edited}`;
}
