import { ChangeSet, Text } from "@codemirror/state";
import { commonEnd, commonStart } from "../../../companion/src/files/line-diff.ts";
import { diffInDetail, diffLines } from "./line-diff.ts";

/** Replaces `from` to `to` (UTF-16 units) by `insert`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Larger texts, in UTF-16 units of both, are compared by whole lines alone. */
const largeTexts = 1_000_000;

/** What turns one text into the other. Positions outside of what has changed keep their place in it. */
export function changesBetween(before: string, after: string): readonly TextChange[] {
  const isLarge = before.length + after.length > largeTexts;
  const changes = isLarge ? diffLines(before, after) : diffInDetail(before, after);
  return changes.map(({ fromA, toA, fromB, toB }) => {
    const [removed, added] = [before.slice(fromA, toA), after.slice(fromB, toB)];
    // A line may be compared as a whole.
    const start = commonStart(removed, added);
    const end = commonEnd(removed, added, start);
    const insert = added.slice(start, added.length - end);
    return { from: fromA + start, to: fromA + removed.length - end, insert };
  });
}

/** What a text becomes that was typed in, while the text that it was has become another one. */
export function mergeTyped(before: string, after: string, typed: string): string {
  if (typed === before) return after;
  const toChanges = (text: string) => ChangeSet.of([...changesBetween(before, text)], before.length, "\n");
  const theirs = toChanges(after).map(toChanges(typed), true);
  return theirs.apply(Text.of(typed.split("\n"))).toString();
}
