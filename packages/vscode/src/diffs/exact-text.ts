import { findHunks } from "ide-companion/editor-kit";

const mark = "\uFEFF";
const lineEnd = /\r\n|\r|\n/g;

export interface EditedText {
  /** As the agent sent it. */
  readonly proposed: string;
  /** What VS Code has made of it when it opened it. */
  readonly opened: string;
  /** As it stands in VS Code. */
  readonly current: string;
}

/**
 * The text to hand back: what the user sees, in the bytes that the agent sent. VS Code takes a byte order mark
 * off and gives all lines one kind of end.
 */
export function exactText({ proposed, opened, current }: EditedText): string {
  if (current === opened) return proposed;
  const body = proposed.startsWith(mark) ? proposed.slice(mark.length) : proposed;
  const ends = body.match(lineEnd) ?? [];
  const kinds = new Set(ends);
  const text = kinds.size > 1 ? withEndsOf(ends, opened, current) : withEnd(current, ends[0]);
  return proposed.startsWith(mark) && !text.startsWith(mark) ? mark + text : text;
}

/** Without any line end in the proposal, VS Code's own choice counts. */
function withEnd(text: string, end: string | undefined): string {
  return end === undefined ? text : text.replace(lineEnd, end);
}

/** Lines that were left alone keep their ends, others get that of the line whose place they have taken. */
function withEndsOf(ends: readonly string[], opened: string, current: string): string {
  const lines = toLines(current);
  const result: string[] = [];
  let at = 0;
  const copy = (count: number, from: number) => {
    for (let index = 0; index < count; index += 1) {
      const line = lines[result.length] ?? "";
      // Beyond the last end there is one of the text's, for a last line that has got one.
      const end = ends[from + index] ?? ends.at(-1) ?? "\n";
      // Behind a carriage return, the line feed of an empty line would make one end of two.
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

/** Each with its end, which is a line feed. */
function toLines(text: string): string[] {
  return text.replace(lineEnd, "\n").match(/[^\n]*\n|[^\n]+/g) ?? [];
}
