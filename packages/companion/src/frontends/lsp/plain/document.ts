import type { Position, Range, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { isBefore, LineText, type Replacement } from "./line-text.ts";

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

/** So many changes are remembered, because an earlier one may still come. */
const remembered = 64;

interface Edit {
  readonly version: number;
  readonly changes: readonly TextDocumentContentChangeEvent[];
}

/**
 * A text that an editor tells by its changes, which may overtake each other: Helix 25.01 on a busy machine sends what was
 * typed fast in any order. Their versions tell in which order they were made.
 */
export class OrderedText {
  /** As it was before the remembered changes, and at which version. */
  readonly #before: LineText;
  readonly #firstVersion: number;
  #edits: Edit[] = [];
  #now: LineText;

  constructor(text: string, version: number) {
    this.#now = new LineText(text);
    this.#before = this.#now.copy();
    this.#firstVersion = version;
  }

  /** That of the latest change. */
  get version(): number {
    return this.#edits.at(-1)?.version ?? this.#firstVersion;
  }

  /** @param range all of it by default */
  get(range?: Range): string {
    return this.#now.get(range);
  }

  /** @returns the same range, in order and within the text */
  wellFormed(range: Range): Range {
    return this.#now.wellFormed(range);
  }

  /** @returns where the text that the latest change has brought ends; undefined when it has changed nothing */
  edit(changes: readonly TextDocumentContentChangeEvent[], version: number): Position | undefined {
    const place = this.#edits.findLastIndex((other) => other.version <= version) + 1;
    const isLate = place < this.#edits.length;
    this.#edits.splice(place, 0, { version, changes });
    const end = isLate ? this.#make() : apply(this.#now, changes);
    if (this.#edits.length >= 2 * remembered) this.#forget();
    return end;
  }

  #make(): Position | undefined {
    this.#now = this.#before.copy();
    let end: Position | undefined;
    for (const { changes } of this.#edits) end = apply(this.#now, changes);
    return end;
  }

  #forget(): void {
    for (const { changes } of this.#edits.slice(0, remembered)) apply(this.#before, changes);
    this.#edits = this.#edits.slice(remembered);
  }
}

/** Changes the text itself. @returns where the last part of it ends that is not as before */
function apply(text: LineText, changes: readonly TextDocumentContentChangeEvent[]): Position | undefined {
  let last: Position | undefined;
  for (const change of changes) {
    const replacement = text.replace("range" in change ? change.range : text.range, change.text);
    const { from, to, changed } = replacement;
    if (last && !isBefore(last, from)) last = move(last, replacement);
    else if (last && isBefore(to, last)) last = to; // it was in what is replaced
    if (changed && !(last && isBefore(changed, last))) last = changed;
  }
  return last;
}

/** Where a place behind an edit is afterwards. */
function move({ line, character }: Position, { from, to }: Replacement): Position {
  const isInLastLine = line === from.line;
  return {
    line: line + to.line - from.line,
    character: isInLastLine ? character + to.character - from.character : character,
  };
}
