import type { Position, Range } from "vscode-languageserver";

/** What an edit has replaced. */
export interface Replacement {
  /** Where that ended. */
  readonly from: Position;
  /** Where that ends which stands there now. */
  readonly to: Position;
  /** Where the last part of it ends that is not as before; undefined when all is the same. */
  readonly changed: Position | undefined;
}

/** A text that is kept by lines: an edit costs what it touches, not what there is. */
export class LineText {
  /** Each with its end; the last one has none. */
  #lines: string[];

  constructor(text: string) {
    this.#lines = splitLines(text);
  }

  copy(): LineText {
    const copy = new LineText("");
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

  replace(range: Range, text: string): Replacement {
    const { start, end } = this.wellFormed(range);
    const differing = endOfChange(this.get({ start, end }), text);
    const head = this.#line(start.line).slice(0, start.character);
    const tail = this.#line(end.line).slice(end.character);
    const fresh = splitLines(text);
    fresh[0] = head + fresh[0];
    fresh[fresh.length - 1] += tail;
    this.#splice(start.line, end.line, fresh);
    const changed = differing === undefined ? undefined : positionBehind(start, text.slice(0, differing));
    return { from: end, to: positionBehind(start, text), changed };
  }

  #splice(first: number, last: number, fresh: string[]): void {
    // Lines that an edit has brought together may be one: a carriage return and a line feed are one end.
    if (first > 0 && isCut(this.#line(first - 1), fresh[0])) fresh.unshift(this.#line(--first));
    for (const index of [fresh.length - 1, 1]) {
      const [line, next] = [fresh[index - 1] ?? "", fresh[index]];
      if (isCut(line, next)) fresh.splice(index - 1, 2, `${line}\n`);
    }
    if (fresh.length === last - first + 1) {
      for (const [index, line] of fresh.entries()) this.#lines[first + index] = line;
    } else {
      this.#lines = this.#lines.slice(0, first).concat(fresh, this.#lines.slice(last + 1));
    }
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
    return { line, character: Math.min(character, text.length - lengthOfEnd(text)) };
  }

  #line(index: number): string {
    return this.#lines[index] ?? "";
  }
}

export const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character);

/** @returns offset of where the last part of the new text ends that differs from the old; undefined when none does */
function endOfChange(before: string, after: string): number | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  const isSame = () =>
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail);
  while (tail < most - start && isSame()) tail += 1;
  return after.length - tail;
}

/** Where a text ends that begins in this position. */
function positionBehind({ line, character }: Position, text: string): Position {
  const lines = splitLines(text);
  const last = lines.at(-1) ?? "";
  return { line: line + lines.length - 1, character: last.length + (lines.length === 1 ? character : 0) };
}

/** As LSP counts lines, each with its end; after the last end there is one more, though it be empty. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  const end = /\r\n?|\n/g;
  let from = 0;
  while (end.test(text)) {
    lines.push(text.slice(from, end.lastIndex));
    from = end.lastIndex;
  }
  lines.push(text.slice(from));
  return lines;
}

/** Whether the end of a line is in two parts. */
const isCut = (line: string, next: string | undefined) => line.endsWith("\r") && next === "\n";

function lengthOfEnd(line: string): number {
  if (line.endsWith("\r\n")) return 2;
  return line.endsWith("\n") || line.endsWith("\r") ? 1 : 0;
}
