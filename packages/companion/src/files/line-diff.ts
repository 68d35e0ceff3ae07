import { diffArrays } from "diff";

/** Milliseconds after which texts count as different from the first changed line to the last. */
const patience = 300;

/** Lines of one text in the place of lines of another: where they begin, 0-based, and how many of each. */
export interface LineChange {
  /** In the text after. */
  readonly line: number;
  readonly added: number;
  /** In the text before. */
  readonly at: number;
  readonly removed: number;
}

/**
 * The only comparison of lines on this side.
 * @returns in order; a line that stays is between two changes.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const former = before.slice(head, before.length - tail);
  const lines = after.slice(head, after.length - tail);
  if (former.length === 0 && lines.length === 0) return [];
  const whole = { line: head, added: lines.length, at: head, removed: former.length };
  const parts = diffArrays(former, lines, { timeout: patience });
  if (parts === undefined) return [whole];
  const changes: LineChange[] = [];
  let open = { line: head, added: 0, at: head, removed: 0 };
  for (const { added, removed, value } of [...parts, { added: false, removed: false, value: [] }]) {
    if (added) open.added += value.length;
    else if (removed) open.removed += value.length;
    else {
      if (open.added + open.removed > 0) changes.push(open);
      const [line, at] = [open.line + open.added + value.length, open.at + open.removed + value.length];
      open = { line, added: 0, at, removed: 0 };
    }
  }
  return changes;
}

/** Each with its end; a carriage return alone ends none. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
