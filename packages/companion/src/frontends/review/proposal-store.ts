import type { Editor } from "../../core/editor.ts";
import type { PathLabels } from "../../files/workspace-path.ts";
import { type Author, HeldProposal } from "./held-proposal.ts";
import type { ProposalSummary } from "./protocol.ts";

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

  constructor(options: ProposalStoreOptions) {
    this.#options = options;
  }

  /** @throws Error when no diff can be shown; the message says why. */
  open(...[proposal, decide, saveDraft, saveComments]: Parameters<Editor["openDiff"]>): void {
    if (proposal.base.kind === "folder") throw new Error(`${proposal.filePath} is a folder, not a file`);
    const wireId = this.wireId(proposal.id);
    const { onChange } = this.#options;
    const parts = { proposal, decide, saveDraft, saveComments, wireId, onChange };
    this.#store.set(proposal.id, new HeldProposal(parts));
    onChange();
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

  wireId(id: string): string {
    return `${this.#options.instance}.${id}`;
  }

  /** A page is closed: what it edited is free for the others. */
  release(page: Author): void {
    for (const held of this.#all) held.release(page);
  }

  async list(): Promise<readonly ProposalSummary[]> {
    const { labels } = this.#options;
    const labelled = this.#all.map(async (held) => [held, await labels.of(held.proposal.filePath)] as const);
    // Some may have ended meanwhile.
    const here = (await Promise.all(labelled)).filter(([held]) => this.get(held.proposal.id));
    return here.map(([held, path]) => held.list(path));
  }

  get #all(): readonly HeldProposal[] {
    return [...this.#store.values()];
  }

  readonly #toId = (wireId: string) => (this.isOwn(wireId) ? wireId.slice(this.wireId("").length) : "");
}
