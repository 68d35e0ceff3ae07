import type { DidChangeTextDocumentParams, TextDocumentItem } from "vscode-languageserver";

/** What an editor tells of its documents. */
export interface DocumentListener {
  opened(document: TextDocumentItem): void;
  changed(change: DidChangeTextDocumentParams): void;
  closed(uri: string): void;
}

/** So much later than what was sent after it a message may come, in milliseconds. */
const lateness = 1000;

/**
 * Tells in the right order what an editor tells in any: Helix 25.01 on a busy machine sends that a file was closed before
 * it sends that it was opened, if both were done in one moment. Of changes their versions tell the order.
 */
export function putInOrder(listener: DocumentListener, now: () => number = Date.now): DocumentListener {
  const open = new Set<string>();
  const earlyChanges = new Recent<DidChangeTextDocumentParams>(lateness, now);
  const earlyClosings = new Recent<undefined>(lateness, now);

  function changed(change: DidChangeTextDocumentParams): void {
    const { uri } = change.textDocument;
    if (open.has(uri)) listener.changed(change);
    else earlyChanges.add(uri, change);
  }

  function closed(uri: string): void {
    if (open.delete(uri)) listener.closed(uri);
    else earlyClosings.add(uri, undefined);
  }

  return {
    opened(document) {
      const { uri, version } = document;
      open.add(uri);
      listener.opened(document);
      for (const change of earlyChanges.take(uri)) {
        // The others are in the text that was sent.
        if (change.textDocument.version > version) changed(change);
      }
      if (earlyClosings.take(uri).length > 0) closed(uri);
    },
    changed,
    closed,
  };
}

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
