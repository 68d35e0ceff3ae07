import type { Position, Range, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { OrderedText } from "./ordered-text.ts";

/** A document that is open in the editor, as the editor describes it. */
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
  #selectedText = "";

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
    return this.#selectedText;
  }

  /** The cursor of somebody who types stands behind what was typed; a selection is gone by then. */
  edit(changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    this.cursor = this.#text.edit(changes, version) ?? this.cursor;
    this.#select(undefined);
  }

  /** What a block cursor covers is not selected: the range of its place alone. */
  uncover(range: Range): Range {
    const text = this.#text.get(range);
    const [first] = new Intl.Segmenter().segment(text);
    return first?.segment === text ? { start: range.start, end: range.start } : range;
  }

  look(range: Range): void {
    this.cursor = range.end;
    const selection = this.#text.wellFormed(range);
    this.#select(isEmpty(selection) ? undefined : selection);
  }

  #select(range: Range | undefined): void {
    this.selection = range;
    this.#selectedText = range ? this.#text.get(range) : "";
  }
}

export const isEmpty = ({ start, end }: Range): boolean =>
  start.line === end.line && start.character === end.character;
