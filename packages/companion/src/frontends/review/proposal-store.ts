import { setTimeout as wait } from "node:timers/promises";
import type { Editor } from "../../core/editor.ts";
import { createPathLabels } from "../../files/workspace-path.ts";
import { type Author, HeldProposal } from "./held-proposal.ts";
import type { ProposalSummary } from "./protocol.ts";

/** Milliseconds until a proposal is read, counted and shown: one that is closed within a frame costs none of that. */
const frame = 16;

/** Milliseconds for which newer proposals wait for the label and the figures of an older one. */
const patience = 1000;

export interface ProposalStoreOptions {
  /** Tells this run's ids from an earlier one's, whose pages may still be open. */
  readonly instance: string;
  readonly roots: () => readonly string[];
  readonly onChange: () => void;
}

/** The proposals that wait for a decision, oldest first. */
export class ProposalStore {
  readonly #instance: string;
  readonly #onChange: () => void;
  readonly #labels: ReturnType<typeof createPathLabels>;
  /** By the companion's ids, in the order in which they were proposed. */
  readonly #store = new Map<string, HeldProposal>();
  /** The pages know of these. */
  readonly #listed = new WeakSet<HeldProposal>();
  /** Resolves when the newest proposal that is prepared is listed, or keeps others waiting no longer. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Taken away, their outcome not yet known. */
  readonly #former = new Map<string, HeldProposal>();
  /** Their outcome known, not yet taken away. */
  readonly #concluded = new WeakSet<HeldProposal>();

  constructor({ instance, roots, onChange }: ProposalStoreOptions) {
    this.#instance = instance;
    this.#onChange = onChange;
    this.#labels = createPathLabels(roots);
  }

  /** @throws Error when no diff can be shown; the message says why. */
  open(...[proposal, decide, saveDraft, saveComments]: Parameters<Editor["openDiff"]>): HeldProposal {
    if (proposal.base.kind === "folder") throw new Error(`${proposal.filePath} is a folder, not a file`);
    const held: HeldProposal = new HeldProposal({
      proposal,
      decide,
      saveDraft,
      saveComments,
      wireId: this.wireId(proposal.id),
      labelOf: this.#labels.of,
      onChange: () => {
        if (this.#isListed(held)) this.#onChange();
      },
    });
    this.#store.set(proposal.id, held);
    setTimeout(() => this.#isHere(held) && void this.#list(held), frame).unref();
    return held;
  }

  /** @param id as the companion names it. */
  get(id: string): HeldProposal | undefined {
    return this.#store.get(id);
  }

  /** @param wireId as the pages name it. */
  find(wireId: string): HeldProposal | undefined {
    return this.#all.find((held) => held.wireId === wireId);
  }

  /** Whether a path is that of a waiting proposal. */
  holds(filePath: string): boolean {
    return this.#all.some((held) => held.proposal.filePath === filePath);
  }

  /** Takes a proposal off the store; it is remembered until its outcome is known. */
  remove(held: HeldProposal): void {
    const wasListed = this.#isListed(held);
    const { id } = held.proposal;
    if (!this.#store.delete(id)) return;
    if (!this.#concluded.has(held)) this.#former.set(id, held);
    if (wasListed) this.#onChange();
  }

  /** The outcome of a proposal is known. @returns the proposal as it stood, when it was here. */
  conclude(id: string): HeldProposal | undefined {
    const held = this.#store.get(id) ?? this.#former.get(id);
    this.#former.delete(id);
    if (held) this.#concluded.add(held);
    return held;
  }

  wireId(id: string): string {
    return `${this.#instance}.${id}`;
  }

  /** A page is closed: what it edited is free for the others. */
  release(page: Author): void {
    for (const held of this.#all) held.release(page);
  }

  get summaries(): readonly ProposalSummary[] {
    return this.#all.filter((held) => this.#isListed(held)).map((held) => held.summary);
  }

  /** The roots are others now. */
  async relabel(): Promise<void> {
    await Promise.all(this.#all.map((held) => held.relabel()));
  }

  get #all(): readonly HeldProposal[] {
    return [...this.#store.values()];
  }

  #isHere = (held: HeldProposal) => this.#store.get(held.proposal.id) === held;
  #isListed = (held: HeldProposal) => this.#isHere(held) && this.#listed.has(held);

  /** Shows it after the proposals that came before it, whichever is ready first. */
  async #list(held: HeldProposal): Promise<void> {
    const earlier = this.#queue;
    const prepared = held.prepare();
    this.#queue = Promise.all([earlier, Promise.race([prepared, wait(patience, undefined, { ref: false })])]);
    await Promise.all([earlier, prepared]);
    this.#listed.add(held);
    if (this.#isHere(held)) this.#onChange();
  }
}
