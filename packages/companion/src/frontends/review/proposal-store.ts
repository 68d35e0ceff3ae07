import { setTimeout as wait } from "node:timers/promises";
import type { Editor, Proposal } from "../../core/editor.ts";
import type { Settlement } from "../../core/events.ts";
import type { PathLabels } from "../../files/workspace-path.ts";
import { type Author, HeldProposal } from "./held-proposal.ts";
import type { ProposalSummary } from "./protocol.ts";

/** Milliseconds until a proposal is labelled and shown: a proposal that is closed within a frame costs none of that. */
const frame = 16;

/** Milliseconds for which newer proposals wait for the label of an older one. */
const patience = 1000;

/** How many proposals that have ended take late texts, and how many UTF-16 units of text they hold together. */
const lateLimits = { count: 200, units: 32 * 1024 * 1024 };

export interface ProposalStoreOptions {
  /** Tells this run's ids from an earlier one's, whose pages may still be open. */
  readonly instance: string;
  readonly labels: PathLabels;
  readonly onChange: () => void;
}

/** The proposals that wait for a decision, oldest first, and the last ones that have ended. */
export class ProposalStore {
  readonly #options: ProposalStoreOptions;
  /** By the companion's ids, in the order in which they were proposed. */
  readonly #store = new Map<string, HeldProposal>();
  readonly #ended = new Map<string, HeldProposal>();
  /** Resolves when the newest proposal that has a label is listed, or keeps others waiting no longer. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ProposalStoreOptions) {
    this.#options = options;
  }

  /** @throws Error when no diff can be shown; the message says why. */
  open(...[proposal, decide, saveDraft, saveComments]: Parameters<Editor["openDiff"]>): void {
    if (proposal.base.kind === "folder") throw new Error(`${proposal.filePath} is a folder, not a file`);
    const wireId = this.wireId(proposal.id);
    const onChange = () => held.isListed && this.#isHere(held) && this.#options.onChange();
    const held: HeldProposal = new HeldProposal({
      proposal,
      decide,
      saveDraft,
      saveComments,
      wireId,
      onChange,
    });
    this.#store.set(proposal.id, held);
    setTimeout(() => this.#isHere(held) && void this.#list(held), frame).unref();
  }

  /** @param id as the companion names it. */
  get(id: string): HeldProposal | undefined {
    return this.#store.get(id);
  }

  /** @param wireId as the pages name it. */
  find(wireId: string): HeldProposal | undefined {
    return this.#store.get(this.#toId(wireId));
  }

  /** One of the last proposals that have ended. */
  findEnded(wireId: string): HeldProposal | undefined {
    return this.#ended.get(this.#toId(wireId));
  }

  /** Whether a name is that of a proposal of this run. */
  isOwn(wireId: string): boolean {
    return wireId.startsWith(this.wireId(""));
  }

  /** Whether a path is that of a waiting proposal. */
  holds(filePath: string): boolean {
    return this.#all.some((held) => held.proposal.filePath === filePath);
  }

  /** Takes a proposal off the list; for a while it takes what its pages had not sent. */
  remove(held: HeldProposal): void {
    const { id } = held.proposal;
    if (!this.#store.delete(id)) return;
    this.#ended.set(id, held);
    for (const oldest of this.#ended.keys()) {
      const units = [...this.#ended.values()].reduce((sum, one) => sum + one.units, 0);
      if (this.#ended.size <= lateLimits.count && units <= lateLimits.units) break;
      this.#ended.delete(oldest);
    }
    if (held.isListed) this.#options.onChange();
  }

  /** The outcome of a proposal is known. */
  settle({ id }: Proposal, settlement: Settlement): void {
    const held = this.#store.get(id) ?? this.#ended.get(id);
    held?.settle({
      outcome: settlement.kind,
      ...(settlement.kind === "accepted" && { final: settlement.content }),
    });
  }

  wireId(id: string): string {
    return `${this.#options.instance}.${id}`;
  }

  /** A page is closed: what it edited is free for the others. */
  release(page: Author): void {
    for (const held of this.#all) held.release(page);
  }

  get summaries(): readonly ProposalSummary[] {
    return this.#all.filter((held) => held.isListed).map((held) => held.summary);
  }

  /** The roots are others now. */
  async relabel(): Promise<void> {
    const listed = this.#all.filter((held) => held.isListed);
    await Promise.all(listed.map(async (held) => held.label(await this.#labelOf(held))));
  }

  get #all(): readonly HeldProposal[] {
    return [...this.#store.values()];
  }

  #toId = (wireId: string) => (this.isOwn(wireId) ? wireId.slice(this.wireId("").length) : "");
  #isHere = (held: HeldProposal) => this.#store.get(held.proposal.id) === held;
  #labelOf = (held: HeldProposal) => this.#options.labels.of(held.proposal.filePath);

  /** Shows it after the proposals that came before it, whichever has its label first. */
  async #list(held: HeldProposal): Promise<void> {
    const earlier = this.#queue;
    const label = this.#labelOf(held);
    this.#queue = Promise.all([earlier, Promise.race([label, wait(patience, undefined, { ref: false })])]);
    await earlier;
    held.label(await label);
  }
}
