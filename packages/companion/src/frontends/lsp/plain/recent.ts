interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly at: number;
}

/** What has happened a moment ago, by key; forgotten by and by. */
export class Recent<Value> {
  readonly #milliseconds: number;
  readonly #now: () => number;
  #entries: readonly Entry<Value>[] = [];

  /** @param milliseconds how long it is remembered */
  constructor(milliseconds: number, now: () => number) {
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  add(key: string, value: Value): void {
    this.#entries = [...this.#remembered(), { key, value, at: this.#now() }];
  }

  /** Takes out what there is of a key, the oldest first. */
  take(key: string): Value[] {
    const remembered = this.#remembered();
    this.#entries = remembered.filter((entry) => entry.key !== key);
    return remembered.filter((entry) => entry.key === key).map(({ value }) => value);
  }

  #remembered(): Entry<Value>[] {
    const since = this.#now() - this.#milliseconds;
    return this.#entries.filter(({ at }) => at > since);
  }
}
