import { Change, presentableDiff } from "@codemirror/merge";
import {
  diffLines as compareLines,
  type LineChange,
  linesOf,
} from "../../../companion/src/files/line-diff.ts";

/** Blocks with more characters on one side are not compared within their lines. */
const detailLimit = 20_000;

/** A block counts as rewritten when a larger share of its characters has changed. */
const rewritten = 0.5;

/** Limits of the search for the smallest difference within a block, in characters and milliseconds. */
const detailSearch = { scanLimit: 500, timeout: 40 };

/**
 * Compares two texts line by line, and changed blocks character by character. Comparing lines first does not mix
 * unrelated lines, and is fast for large texts.
 */
export function diffInDetail(before: string, after: string): readonly Change[] {
  return diffLines(before, after).flatMap((block) => compareWithin(block, before, after));
}

/** Compares whole lines only. */
export function diffLines(before: string, after: string): readonly Change[] {
  // Of nothing, or to nothing, all is one change: with every key that is typed in a new file.
  if (before === "" || after === "")
    return before === after ? [] : [new Change(0, before.length, 0, after.length)];
  return slideDown(toBlocks(before, after, compareLines(linesOf(before), linesOf(after))), before, after);
}

/** Where changes of lines are in both texts. */
export function toBlocks(before: string, after: string, changes: readonly LineChange[]): readonly Change[] {
  const [a, b] = [lineStarts(before), lineStarts(after)];
  return changes.map(
    ({ at, removed, line, added }) =>
      new Change(
        a[at] ?? before.length,
        a[at + removed] ?? before.length,
        b[line] ?? after.length,
        b[line + added] ?? after.length,
      ),
  );
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Moves changes of whole lines down while their first lines are equal, as `git diff` does: a line that is inserted
 * before an equal one is inserted after it. The editor takes a change that begins with an empty line in both texts to
 * begin behind it.
 */
export function slideDown(changes: readonly Change[], before: string, after: string): readonly Change[] {
  const slid: Change[] = [];
  for (const [index, change] of changes.entries()) {
    let { fromA, toA, fromB, toB } = change;
    const last = slid.at(-1);
    // The one before has come down to this one.
    if (last?.toA === fromA && last.toB === fromB) ({ fromA, fromB } = slid.pop() ?? change);
    const next = changes[index + 1];
    while (fromA < toA || fromB < toB) {
      const length = lengthOfEqualLine(before, fromA, after, fromB);
      const isReplaced = fromA < toA && fromB < toB;
      if (length === 0 || (!isReplaced && toA === next?.fromA && toB === next.fromB)) break;
      [fromA, fromB] = [fromA + length, fromB + length];
      if (!isReplaced) [toA, toB] = [toA + length, toB + length];
    }
    if (fromA < toA || fromB < toB) slid.push(new Change(fromA, toA, fromB, toB));
  }
  return slid;
}

/** Of the line that begins there in both texts, with its line feed; 0 when they differ. */
function lengthOfEqualLine(before: string, fromA: number, after: string, fromB: number): number {
  const [feedA, feedB] = [before.indexOf("\n", fromA), after.indexOf("\n", fromB)];
  const length = feedA - fromA + 1;
  const isEqual =
    feedA >= 0 && feedB - fromB + 1 === length && after.startsWith(before.slice(fromA, feedA), fromB);
  return isEqual ? length : 0;
}

/** Compares a changed block of lines character by character. */
export function compareWithin(block: Change, before: string, after: string): readonly Change[] {
  const { fromA, toA, fromB, toB } = block;
  const isPure = fromA === toA || fromB === toB;
  if (isPure || toA - fromA > detailLimit || toB - fromB > detailLimit) return [block];
  const changes = presentableDiff(before.slice(fromA, toA), after.slice(fromB, toB), detailSearch);
  let removed = 0;
  let added = 0;
  for (const change of changes) {
    removed += change.toA - change.fromA;
    added += change.toB - change.fromB;
  }
  // In rewritten lines, equal characters are coincidence.
  if (Math.max(removed / (toA - fromA), added / (toB - fromB)) > rewritten) return [block];
  return changes.map(
    (change) =>
      new Change(fromA + change.fromA, fromA + change.toA, fromB + change.fromB, fromB + change.toB),
  );
}

/**
 * A text with those lines as in another one that differ from it in blanks alone, as `git diff -w` pairs them. It has as
 * many lines as before.
 */
export function adoptBlanks(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const lines: string[] = [];
  let [at, line] = [0, 0];
  const end = { at: a.length, removed: 0, line: b.length, added: 0 };
  for (const change of [...compareLines(a.map(withoutBlanks), b.map(withoutBlanks)), end]) {
    for (; at < change.at; at += 1, line += 1)
      lines.push((b[line] ?? "").replace(/\n$/, ""), a[at]?.endsWith("\n") ? "\n" : "");
    lines.push(...a.slice(at, at + change.removed));
    [at, line] = [at + change.removed, line + change.added];
  }
  return lines.join("");
}

const withoutBlanks = (line: string) => line.replaceAll(/[ \t\r\n]+/g, "");
