import { findHunks } from "ide-companion/editor-kit";

const mark = "\uFEFF";
const lineEnd = /\r\n|\r|\n/g;

export interface EditedText {
  /** The text that the agent sent. */
  readonly proposed: string;
  /** The text of the document when VS Code opened it. */
  readonly opened: string;
  /** The text of the document now. */
  readonly current: string;
}

/**
 * The text that the agent receives: the lines that the user sees, with the byte order mark and the line ends that the
 * agent sent. VS Code removes the mark and gives all lines the same end.
 */
export function exactText({ proposed, opened, current }: EditedText): string {
  if (current === opened) return proposed;
  const body = proposed.startsWith(mark) ? proposed.slice(mark.length) : proposed;
  const ends = body.match(lineEnd) ?? [];
  const kinds = new Set(ends);
  const text = kinds.size > 1 ? withEndsOf(ends, opened, current) : withEnd(current, ends[0]);
  return proposed.startsWith(mark) && !text.startsWith(mark) ? mark + text : text;
}

/** Without a line end in the proposal, the line ends that VS Code chose stay. */
function withEnd(text: string, end: string | undefined): string {
  return end === undefined ? text : text.replace(lineEnd, end);
}

/** Unchanged lines have the same end as before. A changed line gets the end of the line that it replaces. */
function withEndsOf(ends: readonly string[], opened: string, current: string): string {
  const lines = toLines(current);
  const result: string[] = [];
  let at = 0;
  const copy = (count: number, from: number) => {
    for (let index = 0; index < count; index += 1) {
      const line = lines[result.length] ?? "";
      // A last line without an end in the proposal may have one now.
      const end = ends[from + index] ?? ends.at(-1) ?? "\n";
      // After a carriage return, the line feed of an empty line would merge with it into one line end.
      const merges = end === "\n" && line === "\n" && result.at(-1)?.endsWith("\r");
      result.push(line.replace(/\n$/, merges ? "\r" : end));
    }
  };
  for (const { line, added, removed } of findHunks(toLines(opened).join(""), lines.join(""))) {
    const untouched = line - result.length;
    copy(untouched, at);
    at += untouched;
    copy(Math.min(added.length, removed.length), at);
    copy(added.length - Math.min(added.length, removed.length), at + Math.max(0, removed.length - 1));
    at += removed.length;
  }
  copy(lines.length - result.length, at);
  return result.join("");
}

/** Lines with their ends, each a line feed. */
function toLines(text: string): string[] {
  return text.replace(lineEnd, "\n").match(/[^\n]*\n|[^\n]+/g) ?? [];
}
