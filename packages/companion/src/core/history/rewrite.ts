import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { applyPatch, structuredPatch } from "diff";
import { toComparable, toFormOf } from "../../files/comparable-text.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import type { PastDecision } from "./past-decision.ts";

/** What a past change would make of its file, taken out of it or put into it once more. */
export type Rewrite =
  /** The whole text that the file would hold; null where it would be deleted. */
  | { readonly kind: "change"; readonly text: string | null }
  /** The file is so already. */
  | { readonly kind: "nothing" }
  /** A sentence for the user. */
  | { readonly kind: "impossible"; readonly reason: string };

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
  if (outcome !== "accepted") return impossible("This change was not accepted: there is nothing to undo.");
  if (texts?.before === undefined) return impossible("The history does not hold the texts of this change.");
  const { before, proposed, accepted = proposed } = texts;
  if (now === undefined)
    return before === null ? { kind: "nothing" } : impossible("The file is not there any more.");
  const { text: current, lineEndings } = toComparable(now, accepted);
  if (before === null) {
    return current === accepted
      ? { kind: "change", text: null }
      : impossible("The change made this file, and it has changed since: undoing would delete all of it.");
  }
  // Which line had which ending is not known of the accepted text.
  if (lineEndings === "mixed") return impossible("The file mixes line endings: undo it by hand.");
  const text = turn(current, accepted, toComparable(before, accepted).text);
  if (text === undefined)
    return impossible("The file has changed since in the same places: undo it by hand.");
  return text === current ? { kind: "nothing" } : { kind: "change", text: toFormOf(now, text) };
}

/**
 * Puts the user's own version of a change into a file as it is now, and leaves what has changed elsewhere since: the
 * text that they accepted, or what they had typed and was not accepted.
 * @param now what the file holds; undefined where there is none
 */
export function reapply(
  { outcome, texts }: Pick<PastDecision, "outcome" | "texts">,
  now: string | undefined,
): Rewrite {
  if (texts?.before === undefined) return impossible("The history does not hold the texts of this change.");
  const { before, proposed, accepted = proposed, edited } = texts;
  const mine = edited ?? (outcome === "accepted" ? accepted : undefined);
  if (mine === undefined) return impossible("You neither accepted nor edited this change.");
  if (now === undefined)
    return before === null ? { kind: "change", text: mine } : impossible("The file is not there any more.");
  const { text: current, lineEndings } = toComparable(now, mine);
  if (current === mine) return { kind: "nothing" };
  if (before === null) return impossible("There is such a file by now: put your version into it by hand.");
  if (lineEndings === "mixed")
    return impossible("The file mixes line endings: put your version into it by hand.");
  const text = turn(current, toComparable(before, mine).text, mine);
  if (text === undefined)
    return impossible("The file has changed since in the same places: put your version into it by hand.");
  return text === current ? { kind: "nothing" } : { kind: "change", text: toFormOf(now, text) };
}

/**
 * Makes of one version in a text the other one.
 * @returns the text as it is where it has been done already; undefined where the text is another one in the same places
 */
function turn(text: string, from: string, to: string): string | undefined {
  if (text === to) return text;
  // The way back fits: it has been done already.
  return patch(text, from, to) ?? (patch(text, to, from) === undefined ? undefined : text);
}

/** @returns undefined where the text is another one around what has changed from one version to the other */
function patch(text: string, from: string, to: string): string | undefined {
  const changes = structuredPatch("", "", from, to, "", "", { context: 3, timeout: comparingTime });
  if (!changes) return undefined;
  const patched = applyPatch(text, changes, { fuzzFactor: 0, autoConvertLineEndings: false });
  return patched === false ? undefined : patched;
}

/**
 * Writes what the user has seen and agreed to.
 * @param text null deletes the file
 * @param bytes of the file as the user has seen it; undefined where there is none
 * @throws Error when the file is another one now; then it is as it was
 */
export async function writeSeen(
  filePath: string,
  text: string | null,
  bytes: Buffer | undefined,
): Promise<void> {
  if (text !== null) return writeReviewedFile(filePath, text, { before: { bytes } });
  if (bytes === undefined || !readFileSync(filePath).equals(bytes))
    throw new Error("it has changed meanwhile");
  await rm(filePath);
}

const impossible = (reason: string): Rewrite => ({ kind: "impossible", reason });
