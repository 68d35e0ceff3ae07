import { diffWordsWithSpace } from "diff";
import { z } from "zod";
import { type Edit, takeOut } from "../../editors/set-up/edits/edit.ts";
import { pickValues } from "../../editors/set-up/edits/json-values.ts";
import { hashText } from "./folder.ts";

/** What a text held before an edit, where the edit has changed it: the rest, such as keys, is not ours to copy. */
export const FormerText = z.object({
  /** What stood in place of pieces of the text with the edit in it; offsets and lengths in UTF-16 units. */
  pieces: z.array(z.object({ offset: z.int(), length: z.int(), text: z.string() })).readonly(),
  /** The values that an edit of JSON has replaced, as JSON, for a text that was changed since. */
  values: z.string(),
});
export type FormerText = z.infer<typeof FormerText>;

/** @param after the text with the edit in it */
export function toFormerText(edit: Edit, before: string, after: string): FormerText {
  const pieces: { offset: number; length: number; text: string }[] = [];
  let offset = 0;
  for (const { added, removed, value } of diffWordsWithSpace(after, before)) {
    if (added) pieces.push({ offset, length: 0, text: value });
    else if (removed) pieces.push({ offset, length: value.length, text: "" });
    if (!added) offset += value.length;
  }
  return { pieces, values: edit.kind === "json" ? pickValues(edit.values, before) : "" };
}

/** An edit of a file, as the record has it. */
interface EditedFile {
  readonly edit: Edit;
  readonly hash: string;
  readonly before: FormerText | null;
}

/**
 * A text without an edit: as it was, unless somebody has changed it since.
 * @returns undefined when nothing is left of what was never there
 */
export function withoutEdit({ edit, hash, before }: EditedFile, text: string): string | undefined {
  if (hashText(text) !== hash) return takeOut(edit, text, before?.values);
  if (before === null) return undefined;
  return before.pieces.reduceRight(
    (rest, { offset, length, text: old }) => rest.slice(0, offset) + old + rest.slice(offset + length),
    text,
  );
}
