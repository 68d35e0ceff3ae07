import { type Chunk, getChunks } from "@codemirror/merge";
import type { ChangeDesc, EditorState, Text } from "@codemirror/state";

/** Unchanged lines next to a change, which are always shown. */
export const margin = 3;
/** Fewer lines than this are not hidden. */
export const least = 4;

/** Lines above a place in which its function is searched. */
const maxLines = 2000;

/** What begins a block within a function, or ends or continues one. */
const inner =
  /^(?:[^\p{L}_$@"'.#~]|(?:if|else|elif|elsif|for|foreach|while|until|do|switch|case|default|try|catch|except|finally|rescue|ensure|with|when|match|loop|unless|begin|return|then)\b)/u;

/** What begins a function or a type in most languages. */
const definition =
  /\b(?:function|class|interface|def|defun|defn|fn|func|fun|sub|proc|struct|enum|trait|impl|module|namespace|procedure)\b|=>\s*[{(]?$|\)[^;=,()]*\{$/;

/** Whole lines: from the start of the first to the end of the last one. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/** The unchanged lines that are far from changes, from top to bottom. */
export function gapsOf(state: EditorState): readonly Lines[] {
  const found = getChunks(state);
  if (!found) return [];
  const { doc } = state;
  const gaps: Lines[] = [];
  let first = 1;
  const add = (last: number) => {
    if (last - first + 1 >= least) gaps.push({ from: doc.line(first).from, to: doc.line(last).to });
  };
  for (const { fromA, toA, fromB, toB } of found.chunks) {
    const [from, to] = found.side === "a" ? [fromA, toA] : [fromB, toB];
    add(doc.lineAt(Math.min(doc.length, from)).number - 1 - margin);
    first = doc.lineAt(Math.min(doc.length, to)).number + margin;
  }
  add(doc.lines);
  return gaps;
}

export function mapLines(lines: readonly Lines[], changes: ChangeDesc): readonly Lines[] {
  if (changes.empty) return lines;
  return lines.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }));
}

/** The lines that no change touches. */
export function unchanged(lines: readonly Lines[], state: EditorState): readonly Lines[] {
  const { chunks = [], side } = getChunks(state) ?? {};
  let next = 0;
  const rest = lines.filter(({ from, to }) => {
    while (endOf(chunks[next], side) <= from) next += 1;
    const chunk = chunks[next];
    return !chunk || (side === "a" ? chunk.fromA : chunk.fromB) > to;
  });
  return rest.length === lines.length ? lines : rest;
}

/** What is left of hidden lines. */
export function without(lines: Lines, { from, to }: Lines, doc: Text): readonly Lines[] {
  if (from > lines.to || to < lines.from) return [lines];
  const rest = [
    ...(from > lines.from ? [{ from: lines.from, to: from - 1 }] : []),
    ...(to < lines.to ? [{ from: to + 1, to: lines.to }] : []),
  ];
  return rest.filter((part) => count(doc, part) >= least);
}

/** The same lines on the other side: between two changes, both sides are equal. */
export function onOtherSide(state: EditorState, lines: readonly Lines[]): readonly Lines[] {
  const { chunks = [], side } = getChunks(state) ?? {};
  let next = 0;
  return lines.map(({ from, to }) => {
    while (endOf(chunks[next], side) <= from) next += 1;
    const before = chunks[next - 1];
    const shift = before ? (before.toA - before.toB) * (side === "a" ? -1 : 1) : 0;
    return { from: from + shift, to: to + shift };
  });
}

/**
 * The line that begins the function or type around a line, by indent, which is the same in languages without a grammar:
 * the innermost line around it that looks so, or the outermost one.
 * @param line 1-based
 */
export function enclosingLine(doc: Text, line: number): string | undefined {
  let outermost: string | undefined;
  let indent: number | undefined;
  const last = Math.max(1, line - maxLines);
  for (let number = line; number >= last && indent !== 0; number -= 1) {
    const { text } = doc.line(number);
    const content = text.trim();
    const own = text.length - text.trimStart().length;
    if (content === "" || own >= (indent ?? Number.POSITIVE_INFINITY)) continue;
    if (indent !== undefined && !inner.test(content)) {
      if (definition.test(content)) return content;
      outermost = content;
    }
    // The end of a block is as deep as its beginning, which is still to come.
    if (indent === undefined || /^\p{L}|^[_$@"'.#~]/u.test(content)) indent = own;
  }
  return outermost;
}

function endOf(chunk: Chunk | undefined, side: "a" | "b" | null | undefined): number {
  if (!chunk) return Number.POSITIVE_INFINITY;
  return side === "a" ? chunk.toA : chunk.toB;
}

export const touches = (one: Lines, other: Lines) => one.from <= other.to && one.to >= other.from;

export const count = (doc: Text, { from, to }: Lines) => doc.lineAt(to).number - doc.lineAt(from).number + 1;
