import { diffArrays } from "diff";
import { toComparable, toFormOf } from "../../files/comparable-text.ts";
import type { FileText } from "../../files/file-text.ts";
import type { RewriteTrouble } from "../sentences.ts";
import type { Later, PastDecision } from "./past-decision.ts";

/** What a past change would make of its file, taken out of it or put into it once more. */
export type Rewrite =
  /** The whole text that the file would hold; null where it would be deleted. */
  | { readonly kind: "change"; readonly text: string | null }
  /** The file is so already. */
  | { readonly kind: "nothing" }
  | { readonly kind: "impossible"; readonly reason: RewriteTrouble };

/** What can be done to a file with a past change. */
export type Rewriting = "undo" | "reapply";

/** What the decision is marked with then. */
export const laterOf = { undo: "undone", reapply: "reapplied" } as const satisfies Record<Rewriting, Later>;

/** What a past change would make of its file as it is now. */
export function planRewrite(
  kind: Rewriting,
  decision: Pick<PastDecision, "outcome" | "texts">,
  now: FileText,
): Rewrite {
  const isText = now.kind === "text" && now.exact;
  if (!isText && now.kind !== "missing") return impossible("not-text");
  return (kind === "undo" ? undo : reapply)(decision, isText ? now.text : undefined);
}

/** Milliseconds for comparing texts that have little in common. */
const comparingTime = 2000;

/**
 * Takes one accepted change out of a file as it is now, and leaves what has changed elsewhere since.
 * @param now what the file holds; undefined where there is none
 */
export function undo(
  { outcome, texts }: Pick<PastDecision, "outcome" | "texts">,
  now: string | undefined,
): Rewrite {
  if (outcome !== "accepted") return impossible("not-accepted");
  if (texts?.before === undefined) return impossible("no-texts");
  const { before, proposed, accepted = proposed } = texts;
  if (now === undefined) return before === null ? { kind: "nothing" } : impossible("no-file");
  const { text: current, lineEndings } = toComparable(now, accepted);
  if (before === null) {
    return current === accepted ? { kind: "change", text: null } : impossible("made-and-changed");
  }
  // Which line had which ending is not known of the accepted text.
  if (lineEndings === "mixed") return impossible("mixed-line-endings");
  const text = turn(current, accepted, toComparable(before, accepted).text);
  if (text === undefined) return impossible("changed-since");
  return text === current ? { kind: "nothing" } : { kind: "change", text: toFormOf(now, text) };
}

/**
 * Puts a change into a file as it is now, and leaves what has changed elsewhere since: the user's version of it, or what
 * was proposed where they had none.
 * @param now what the file holds; undefined where there is none
 */
export function reapply({ texts }: Pick<PastDecision, "texts">, now: string | undefined): Rewrite {
  if (texts?.before === undefined) return impossible("no-texts");
  const { before, proposed, accepted = proposed, edited } = texts;
  const mine = edited ?? accepted;
  if (now === undefined) return before === null ? { kind: "change", text: mine } : impossible("no-file");
  const { text: current, lineEndings } = toComparable(now, mine);
  if (current === mine) return { kind: "nothing" };
  if (before === null) return impossible("file-exists");
  if (lineEndings === "mixed") return impossible("mixed-line-endings-reapply");
  const text = turn(current, toComparable(before, mine).text, mine);
  if (text === undefined) return impossible("changed-since-reapply");
  return text === current ? { kind: "nothing" } : { kind: "change", text: toFormOf(now, text) };
}

/**
 * Makes of one version in a text the other one.
 * @returns the text as it is where it has been done already; undefined where the text is another one in the same places
 */
function turn(text: string, from: string, to: string): string | undefined {
  if (text === to) return text;
  // The way back fits: it has been done already.
  return change(text, from, to) ?? (change(text, to, from) === undefined ? undefined : text);
}

/** @returns undefined where a changed line or the lines around it are gone, or nobody can tell which of equal lines it is */
function change(text: string, from: string, to: string): string | undefined {
  const texts = [text, from, to].map((each) => each.split("\n"));
  const changed = replaceLines(...texts);
  // Of equal lines a comparison takes the first: from the other end it takes the last.
  const mirrored = replaceLines(...texts.map((lines) => lines.toReversed()))?.toReversed();
  return changed?.join("\n") === mirrored?.join("\n") ? changed?.join("\n") : undefined;
}

/** Makes in `lines` the changes that make `to` of `from`, where that has gone to in them. */
function replaceLines(
  lines: readonly string[] = [],
  from: readonly string[] = [],
  to: readonly string[] = [],
): string[] | undefined {
  const places = placesOf(from, lines);
  const blocks = diffArrays([...from], [...to], { timeout: comparingTime });
  if (!places || !blocks) return undefined;
  const changed = [...lines];
  let at = 0;
  let shift = 0;
  for (const [index, { value, added, removed }] of blocks.entries()) {
    const isReplaced = added && blocks[index - 1]?.removed === true;
    if ((added || removed) && !isReplaced) {
      const count = removed ? value.length : 0;
      const place = placeOf(places.slice(at, at + count + 2));
      if (place === undefined) return undefined;
      const fresh = added ? value : blocks[index + 1]?.added ? (blocks[index + 1]?.value ?? []) : [];
      changed.splice(place + shift, count, ...fresh);
      shift += fresh.length - count;
    }
    if (!added) at += value.length;
  }
  return changed;
}

/**
 * @param places of the line above what changes, of the changed lines, and of the line below
 * @returns how many lines are above it; undefined where a changed line is gone, both its neighbours are others, or, of
 *   lines that are put in, one of them
 */
function placeOf(places: readonly (number | undefined)[]): number | undefined {
  const lines = places.slice(1, -1);
  const [above, below] = [places[0], places.at(-1)];
  const place = lines.length > 0 ? (lines[0] ?? 0) - 1 : above;
  if (place === undefined || lines.some((line, index) => line !== place + 1 + index)) return undefined;
  const near = [above === place, below === place + lines.length + 1];
  return (lines.length > 0 ? near.some(Boolean) : near.every(Boolean)) ? place : undefined;
}

/** Where each line of one version is in another, counted from 1; with one more for the beginning and one for the end. */
function placesOf(from: readonly string[], lines: readonly string[]): (number | undefined)[] | undefined {
  const blocks = diffArrays([...from], [...lines], { timeout: comparingTime });
  const places: (number | undefined)[] = [0];
  let at = 1;
  for (const { value, added, removed } of blocks ?? []) {
    if (!added) places.push(...value.map((_, index) => (removed ? undefined : at + index)));
    if (!removed) at += value.length;
  }
  return blocks && [...places, at];
}

const impossible = (reason: RewriteTrouble): Rewrite => ({ kind: "impossible", reason });
