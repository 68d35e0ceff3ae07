/** Lines between two marks. */
export interface Block {
  /** What begins a comment in this language. */
  readonly comment: string;
  readonly lines: readonly string[];
}

const opening = "ide-companion >>>";
const closing = "ide-companion <<<";

/**
 * Puts the block in the place of the one that is there, or else at the end.
 * @throws Error when one of the marks is missing
 */
export function putBlock(block: Block, text: string): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const own = [`${block.comment} ${opening}`, ...block.lines, `${block.comment} ${closing}`, ""].join(eol);
  const range = findBlock(block, text);
  if (range) return text.slice(0, range.start) + own + text.slice(range.end);
  const separator = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + separator + own;
}

/** Takes the block out, and the empty line that was put before it. */
export function takeBlock(block: Block, text: string): string {
  const range = findBlock(block, text);
  if (!range) return text;
  return text.slice(0, range.start).replace(/(^|\n)\r?\n$/, "$1") + text.slice(range.end);
}

function findBlock({ comment }: Block, text: string) {
  const start = indexOfLine(text, `${comment} ${opening}`);
  const last = indexOfLine(text, `${comment} ${closing}`);
  if (start < 0 && last < 0) return undefined;
  if (start < 0 || last < start) {
    throw new Error(`it has only one of the lines "${comment} ${opening}" and "${comment} ${closing}"`);
  }
  const end = text.indexOf("\n", last);
  return { start, end: end < 0 ? text.length : end + 1 };
}

function indexOfLine(text: string, line: string): number {
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const isWhole =
      (at === 0 || text[at - 1] === "\n") &&
      /^\r?(\n|$)/.test(text.slice(at + line.length, at + line.length + 2));
    if (isWhole) return at;
  }
  return -1;
}
