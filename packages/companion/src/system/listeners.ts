/** Those who want to hear of something, in the order in which they came. */
export class Listeners<Values extends readonly unknown[] = []> {
  readonly #all = new Set<(...values: Values) => void>();

  get size(): number {
    return this.#all.size;
  }

  /** @returns how to stop */
  readonly add = (listener: (...values: Values) => void): (() => void) => {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  };

  readonly tell = (...values: Values): void => {
    for (const listener of [...this.#all]) listener(...values);
  };

  clear(): void {
    this.#all.clear();
  }
}
