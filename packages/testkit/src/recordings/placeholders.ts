/** Values of one machine by the names of their placeholders: `workspace`, `token.gemini`. */
export type Values = Readonly<Record<string, string | number>>;

/** Replaces what differs from machine to machine by placeholders, while a recording is made. */
export class Concealer {
  readonly #values: readonly (readonly [string, string])[];
  readonly #ids = new Map<string, string>();

  constructor(values: Values) {
    // The longest first: a folder may lie in another one.
    this.#values = Object.entries(values)
      .map(([name, value]) => [String(value), `{${name}}`] as const)
      .sort(([a], [b]) => b.length - a.length);
  }

  /** Gives an identifier that the companion chose a placeholder, here and wherever it returns. */
  nameId(id: string): string {
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const name = `{id.${this.#ids.size + 1}}`;
    this.#ids.set(id, name);
    return name;
  }

  text(text: string): string {
    let result = this.#ids.get(text) ?? text;
    for (const [value, name] of this.#values) result = result.replaceAll(value, name);
    return result;
  }

  /** @param key under which the value stands */
  value(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number" && key === "timestamp") return "{number}";
    if (typeof value === "number" && key === "pid") return "{pid}";
    if (Array.isArray(value)) return value.map((item) => this.value(item, key));
    if (typeof value !== "object" || value === null) return value;
    // The schemas of tools are in the documentation of the contract.
    if (key === "tools" && "name" in value && "inputSchema" in value) return { name: value.name, "…": "" };
    const entries = Object.entries(value).map(([name, item]) => [
      name,
      key === "serverInfo" && name === "version" ? "{string}" : this.value(item, name),
    ]);
    return Object.fromEntries(entries);
  }
}

/** Puts this machine's values in place of placeholders, and compares what a companion sends with what is recorded. */
export class Bindings {
  readonly #values = new Map<string, string | number>();

  constructor(values: Values) {
    for (const [name, value] of Object.entries(values)) this.#values.set(name, value);
  }

  /** @throws Error for a placeholder that has no value */
  fill(recorded: unknown): unknown {
    if (typeof recorded === "string") {
      const [, whole] = /^\{([a-z][\w.]*)\}$/.exec(recorded) ?? [];
      if (whole !== undefined) return this.#expect(whole);
      return recorded.replaceAll(/\{([a-z][\w.]*)\}/g, (text, name: string) =>
        String(this.#values.get(name) ?? text),
      );
    }
    if (Array.isArray(recorded)) return recorded.map((item) => this.fill(item));
    if (typeof recorded !== "object" || recorded === null) return recorded;
    return Object.fromEntries(Object.entries(recorded).map(([name, item]) => [name, this.fill(item)]));
  }

  /** @returns whether a value is as recorded; then identifiers seen for the first time have their values */
  matches(recorded: unknown, actual: unknown): boolean {
    const ids = new Map<string, string>();
    if (!this.#compare(recorded, actual, ids)) return false;
    for (const [name, value] of ids) this.#values.set(name, value);
    return true;
  }

  #compare(recorded: unknown, actual: unknown, ids: Map<string, string>): boolean {
    if (typeof recorded === "string") return this.#compareText(recorded, actual, ids);
    if (Array.isArray(recorded)) {
      if (!Array.isArray(actual) || actual.length !== recorded.length) return false;
      return recorded.every((item, index) => this.#compare(item, actual[index], ids));
    }
    if (typeof recorded !== "object" || recorded === null) return recorded === actual;
    if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false;
    const found = new Map(Object.entries(actual));
    const expected = Object.entries(recorded).filter(([name]) => name !== "…");
    if (!("…" in recorded) && expected.length !== found.size) return false;
    return expected.every(([name, item]) => found.has(name) && this.#compare(item, found.get(name), ids));
  }

  #compareText(recorded: string, actual: unknown, ids: Map<string, string>): boolean {
    if (recorded === "{number}") return typeof actual === "number";
    if (recorded === "{string}") return typeof actual === "string";
    const [, id] = /^\{(id\.\d+)\}$/.exec(recorded) ?? [];
    if (id === undefined || this.#values.has(id)) return this.fill(recorded) === actual;
    if (typeof actual !== "string") return false;
    ids.set(id, actual);
    return true;
  }

  #expect(name: string): string | number {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`nothing is known of {${name}}`);
    return value;
  }
}
