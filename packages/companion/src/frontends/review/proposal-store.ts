import type { ShownChange } from "../../core/editor.ts";
import type { PathLabels } from "../../files/workspace-path.ts";
import { KnownChanges } from "../known-changes.ts";
import { HeldProposal } from "./held-proposal.ts";
import type { ProposalSummary } from "./protocol.ts";

/** The proposals that wait for a decision, oldest first, and the last ones that have ended. */
export class ProposalStore {
  readonly #labels: PathLabels;
  readonly #onChange: () => void;
  readonly #known = new KnownChanges<HeldProposal>();

  /** @param onChange called when the list is another one */
  constructor(labels: PathLabels, onChange: () => void) {
    this.#labels = labels;
    this.#onChange = onChange;
  }

  /** @throws Error when no diff can be shown; the message says why. */
  open(change: ShownChange): void {
    const { base, filePath } = change.proposal;
    if (base.kind === "folder") throw new Error(`${filePath} is a folder, not a file`);
    this.#known.add(change.id, new HeldProposal(change, this.#onChange));
  }

  /** A proposal that waits. */
  find(id: string): HeldProposal | undefined {
    const held = this.findAny(id);
    return held?.change.isOver ? undefined : held;
  }

  /** A proposal that waits, or is one of the last that have ended: its change takes what a page had not sent. */
  findAny(id: string): HeldProposal | undefined {
    return this.#known.get(id);
  }

  /** Whether a path is that of a waiting proposal. */
  holds(filePath: string): boolean {
    return this.#known.waiting.some(({ change }) => change.proposal.filePath === filePath);
  }

  /** @param viewed by the ids of those that a page has had in front */
  async list(viewed: ReadonlyMap<string, unknown>): Promise<readonly ProposalSummary[]> {
    const labelled = this.#known.waiting.map(
      async (held) => [held, await this.#labels.of(held.change.proposal.filePath)] as const,
    );
    // Some may have ended meanwhile.
    const here = (await Promise.all(labelled)).filter(([{ change }]) => !change.isOver);
    return here.map(([held, path]) => held.list(path, viewed.has(held.change.id)));
  }
}
