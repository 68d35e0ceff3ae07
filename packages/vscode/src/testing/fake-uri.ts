/** A `vscode.Uri` for tests without VS Code. */
export class FakeUri {
  readonly fragment = "";
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  static file(path: string): FakeUri {
    return new FakeUri(path);
  }

  get scheme(): string {
    return this.#text.split(":")[0] ?? "";
  }

  get query(): string {
    return this.#text.split("?")[1] ?? "";
  }

  with({ scheme, query }: { scheme: string; query: string }): FakeUri {
    return new FakeUri(`${scheme}:${this.#text}?${query}`);
  }

  toString(): string {
    return this.#text;
  }
}
