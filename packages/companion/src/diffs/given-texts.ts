import type { Proposal } from "../editor.ts";
import type { DiffOwner } from "./diff-owner.ts";
import { stampOf } from "./file-stamp.ts";

/** An accepted text with edits of the user's, on its way to the file by its agent's hand. */
export interface GivenText {
  readonly owner: DiffOwner;
  readonly proposal: Proposal;
  readonly content: string;
  /** Of the file, before its agent could write it. */
  readonly stamp: string | undefined;
}

/** How many texts are remembered, and how long they are together, in UTF-16 units of 2 bytes. */
const defaultLimits = { texts: 256, units: 32 * 1024 * 1024 };

/** The texts given to agents that may still lack them; one that an agent has had its time to write goes with the next. */
export class GivenTexts {
  /** Oldest first. */
  #texts: GivenText[] = [];
  readonly #limits: typeof defaultLimits;

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /** @returns what had to make room, oldest first, and may still be lacking */
  add(given: GivenText): readonly GivenText[] {
    const texts = [...this.#texts.filter(mayLack), given];
    let units = texts.reduce((sum, { content }) => sum + content.length, 0);
    let first = 0;
    while (texts.length - first > this.#limits.texts || units > this.#limits.units) {
      units -= texts[first]?.content.length ?? 0;
      first += 1;
    }
    this.#texts = texts.slice(first);
    return texts.slice(0, first);
  }

  /**
   * Forgets the texts of an agent.
   * @param filePath only those for this file
   * @returns those that it may still lack, oldest first
   */
  take(ownerId: string, filePath?: string): readonly GivenText[] {
    const isTaken = ({ owner, proposal }: GivenText) =>
      owner.id === ownerId && (filePath === undefined || proposal.filePath === filePath);
    const taken = this.#texts.filter(isTaken);
    this.#texts = this.#texts.filter((given) => !isTaken(given));
    return taken.filter(mayLack);
  }
}

function mayLack({ owner, proposal: { filePath }, stamp }: GivenText): boolean {
  const taken = owner.hasTaken(filePath);
  // Nobody can tell one that has read it from one that stands still; its file can.
  const isUntouched = () => stamp !== undefined && stampOf(filePath) === stamp;
  return taken === "no" || (taken === "perhaps" && isUntouched());
}
