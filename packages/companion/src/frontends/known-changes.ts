import type { ShownChange } from "../core/editor.ts";

/** How many changes that have ended take late texts, and how many UTF-16 units of text they hold together. */
const limits = { count: 200, units: 32 * 1024 * 1024 };

/** What an editor knows of a change besides what the change holds itself. */
interface View {
  readonly change: ShownChange;
}

/** The changes that an editor shows, oldest first, and the last ones that have ended: their users may have typed on. */
export class KnownChanges<Known extends View> {
  readonly #all = new Map<string, Known>();

  get waiting(): readonly Known[] {
    return [...this.#all.values()].filter(({ change }) => !change.isOver);
  }

  /** One that waits, or has ended lately. */
  get(id: string): Known | undefined {
    return this.#all.get(id);
  }

  add(id: string, view: Known): void {
    this.#all.set(id, view);
    const ended = [...this.#all].filter(([, { change }]) => change.isOver);
    let units = ended.reduce((sum, [, { change }]) => sum + unitsOf(change), 0);
    for (const [index, [id, { change }]] of ended.entries()) {
      if (ended.length - index <= limits.count && units <= limits.units) break;
      units -= unitsOf(change);
      this.#all.delete(id);
    }
  }

  forget(id: string): void {
    this.#all.delete(id);
  }
}

function unitsOf({ text, proposal: { newContent, base } }: ShownChange): number {
  return text.length + newContent.length + (base.kind === "text" ? base.text.length : 0);
}
