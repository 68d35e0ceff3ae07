import type { Position, Range, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { linesAsShown } from "../../../core/hunks.ts";
import { readFileNow } from "../../../files/file-text.ts";
import { commonEnd, commonStart } from "../../../files/line-diff.ts";

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
    returnsEndLines: boolean,
  ) {
    this.path = path;
    this.uri = uri;
    this.focusedAt = now;
    this.#text = new OrderedText(text, version, returnsEndLines);
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

const isEmpty = ({ start, end }: Range): boolean =>
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

  constructor(text: string, version: number, returnsEndLines = true) {
    this.#now = new LineText(text, returnsEndLines);
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

/** Changes the text itself. @returns where the last of the changes ends that is not as before; undefined where none is */
function apply(text: LineText, changes: readonly TextDocumentContentChangeEvent[]): Position | undefined {
  let end: Position | undefined;
  for (const change of changes)
    end = text.replace("range" in change ? change.range : text.range, change.text) ?? end;
  return end;
}

/** A text that is kept by lines: an edit costs what it touches, not what there is. */
export class LineText {
  /** Each with its end; the last one has none. */
  #lines: string[];
  readonly #returnsEndLines: boolean;

  /** @param returnsEndLines whether a carriage return alone ends a line, as LSP has it */
  constructor(text: string, returnsEndLines = true) {
    this.#returnsEndLines = returnsEndLines;
    this.#lines = this.#split(text);
  }

  copy(): LineText {
    const copy = new LineText("", this.#returnsEndLines);
    copy.#lines = [...this.#lines];
    return copy;
  }

  /** All of it. */
  get range(): Range {
    const last = this.#lines.length - 1;
    return { start: { line: 0, character: 0 }, end: { line: last, character: this.#line(last).length } };
  }

  /** @param range all of it by default */
  get(range?: Range): string {
    if (!range) return this.#lines.join("");
    const { start, end } = this.wellFormed(range);
    if (start.line === end.line) return this.#line(start.line).slice(start.character, end.character);
    const between = this.#lines.slice(start.line + 1, end.line);
    const [head, tail] = [this.#line(start.line), this.#line(end.line)];
    return [head.slice(start.character), ...between, tail.slice(0, end.character)].join("");
  }

  /** @returns where the last part of it ends that is not as before; undefined when all is the same */
  replace(range: Range, text: string): Position | undefined {
    const { start, end } = this.wellFormed(range);
    const differing = endOfChange(this.get({ start, end }), text);
    // With the lines around: a carriage return and a line feed that an edit brings together are one end.
    const [first, last] = [Math.max(0, start.line - 1), Math.min(end.line + 1, this.#lines.length - 1)];
    const head = this.get({ start: { line: first, character: 0 }, end: start });
    const tail = this.#line(end.line).slice(end.character) + (last > end.line ? this.#line(last) : "");
    const fresh = this.#split(head + text + tail);
    if (last < this.#lines.length - 1) fresh.pop(); // what follows the last end is the next line
    this.#lines = this.#lines.slice(0, first).concat(fresh, this.#lines.slice(last + 1));
    return differing === undefined ? undefined : this.#behind(start, text.slice(0, differing));
  }

  /** In order and within the text, before a line's end, as LSP wants it. */
  wellFormed({ start, end }: Range): Range {
    const [one, other] = [this.#position(start), this.#position(end)];
    return isBefore(other, one) ? { start: other, end: one } : { start: one, end: other };
  }

  #position({ line, character }: Position): Position {
    const last = this.#lines.length - 1;
    if (line > last) return { line: last, character: this.#line(last).length };
    const text = this.#line(line);
    return { line, character: Math.min(character, text.length - this.#lengthOfEnd(text)) };
  }

  /** Where a text ends that begins in this position. */
  #behind({ line, character }: Position, text: string): Position {
    const lines = this.#split(text);
    const last = lines.at(-1) ?? "";
    return { line: line + lines.length - 1, character: last.length + (lines.length === 1 ? character : 0) };
  }

  /** Into lines, each with its end; after the last end there is one more, though it be empty. */
  #split(text: string): string[] {
    const lines: string[] = [];
    const end = this.#returnsEndLines ? /\r\n?|\n/g : /\n/g;
    let from = 0;
    while (end.test(text)) {
      lines.push(text.slice(from, end.lastIndex));
      from = end.lastIndex;
    }
    lines.push(text.slice(from));
    return lines;
  }

  #lengthOfEnd(line: string): number {
    if (line.endsWith("\r\n")) return 2;
    return line.endsWith("\n") || (this.#returnsEndLines && line.endsWith("\r")) ? 1 : 0;
  }

  #line(index: number): string {
    return this.#lines[index] ?? "";
  }
}

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character);

/** @returns offset of where the last part of the new text ends that differs from the old; undefined when none does */
function endOfChange(before: string, after: string): number | undefined {
  if (before === after) return undefined;
  return after.length - commonEnd(before, after, commonStart(before, after));
}

export function isOnDisk({ path, text }: OpenDocument): boolean {
  const { file } = readFileNow(path);
  return file.kind === "text" && linesAsShown(file.text).join("") === linesAsShown(text).join("");
}
