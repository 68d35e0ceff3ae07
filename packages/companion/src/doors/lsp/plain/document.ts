import type { Position, Range, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { OrderedText } from "./ordered-text.ts";

/** A document that is open in the editor, as it has told us of it. */
export class OpenDocument {
  /** Absolute. */
  readonly path: string;
  /** As the editor writes it, which is how it wants to be spoken to. */
  readonly uri: string;
  /** When it last had the user's attention, in milliseconds since 1970. */
  focusedAt: number;
  /** 0-based, as in LSP; undefined until the editor has given one away. */
  cursor: Position | undefined;
  /** Undefined when nothing is selected, as far as we know. */
  selection: Range | undefined;
  readonly #text: OrderedText;

  constructor(
    path: string,
    { uri, version, text }: { uri: string; version: number; text: string },
    now: number,
  ) {
    this.path = path;
    this.uri = uri;
    this.focusedAt = now;
    this.#text = new OrderedText(text, version);
  }

  get text(): string {
    return this.#text.get();
  }

  get version(): number {
    return this.#text.version;
  }

  get selectedText(): string {
    return this.selection === undefined ? "" : this.#text.get(this.selection);
  }

  /** The cursor of somebody who types stands behind what was typed; a selection is gone by then. */
  edit(changes: TextDocumentContentChangeEvent[], version: number): void {
    const before = this.text;
    this.#text.edit(changes, version);
    this.selection = undefined;
    this.cursor = this.#text.positionAt(endOfChange(before, this.text));
  }

  /** What a block cursor covers is not selected: the range of its place alone. */
  uncover(range: Range): Range {
    const text = this.#text.get(range);
    const [first] = new Intl.Segmenter().segment(text);
    return first?.segment === text ? { start: range.start, end: range.start } : range;
  }

  look(range: Range): void {
    this.cursor = range.end;
    this.selection = isEmpty(range) ? undefined : range;
  }
}

export const isEmpty = ({ start, end }: Range): boolean =>
  start.line === end.line && start.character === end.character;

/** Where the part of a text ends that was not in the one before; in UTF-16 units. */
export function endOfChange(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  while (tail < most - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return after.length - tail;
}
