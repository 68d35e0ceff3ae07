import { z } from "zod";
import type { Proposal, ShownChange } from "../../core/editor.ts";
import { faintDifferences, toSentence } from "../../core/sentences.ts";
import { findFaintDifference, toComparable } from "../../files/comparable-text.ts";

/** What a plugin says of the text that a proposal is compared with. */
export const originalFacts = {
  notes: z
    .array(z.string())
    .describe("Sentences for the user, as `The file has CRLF line ends; they are kept.`"),
  facts: z
    .array(z.string())
    .describe(
      "What acceptance costs, and what a diff shows badly, as `replaces 3 non-UTF-8 lines` or `only white space`: show it before all else.",
    ),
};

const Hunk = z.object({
  line: z
    .int()
    .min(1)
    .describe("Its first line in the proposed text; without lines, the place where they would be."),
  added: z.int().describe("How many lines it has there."),
  from: z.int().min(1).describe("The same in `original`."),
  removed: z.int(),
});

/** What a plugin says of the text under review, which changes with every key. */
export const shownFacts = {
  hunks: z
    .array(Hunk)
    .describe(
      "Where the proposed text differs from `original`, in order; lines count from 1. A byte order mark and the form of line ends are no difference.",
    ),
  facts: originalFacts.facts,
};

/** For a plugin: what the text of a change is compared with, and where it differs. */
export function comparisonOf({
  proposal,
  text,
  state,
  hunks,
}: Pick<ShownChange, "proposal" | "text" | "state" | "hunks">) {
  const { text: original, notes, ...faint } = originalOf(proposal, text);
  const waits = toSentence({ code: "waits-for-this", values: [proposal.agent] });
  const facts = [faint.loss, state === "same" ? undefined : faint.difference];
  return {
    original,
    facts: facts.filter((fact) => fact !== undefined),
    notes: proposal.opensOneDiff ? [...notes, waits] : notes,
    hunks: [...hunks],
  };
}

/** What a proposal is compared with. */
export interface Original {
  /** As in the proposal, so that line ends alone are no change; null for a new file. */
  readonly text: string | null;
  readonly notes: string[];
  /** What acceptance costs and a diff does not show. */
  readonly loss?: string;
  /** The only difference, where a diff shows it badly. */
  readonly difference?: string;
}

/**
 * @param shown the proposed text as it stands
 * @throws Error when it is for a folder: no diff can be shown.
 */
export function originalOf({ filePath, newContent, base }: Proposal, shown = newContent): Original {
  switch (base.kind) {
    case "text": {
      const difference = findFaintDifference(base.text, shown);
      const { text, lineEndings, byteOrderMark } = toComparable(base.text, newContent);
      const notes = [
        lineEndings === "CRLF" ? ["The file has CRLF line ends; they are kept."] : [],
        lineEndings === "mixed" ? ["The file has mixed line ends; all become CRLF."] : [],
        byteOrderMark ? ["The file has a byte order mark; it is kept."] : [],
      ];
      return {
        text,
        notes: notes.flat(),
        ...(difference === undefined ? {} : { difference: faintDifferences[difference] }),
        ...(base.exact ? {} : { loss: `replaces ${countLossyLines(base.text)}` }),
      };
    }
    case "missing":
      return { text: null, notes: ["This is a new file."] };
    case "folder":
      throw new Error(`${filePath} is a folder, not a file`);
    case "binary":
      return { text: "", notes: [], loss: "replaces a file that is no text" };
    case "too-large":
      return { text: "", notes: [], loss: "replaces a file too large to show" };
    case "unreadable":
      return { text: "", notes: [base.reason], loss: "replaces an unreadable file" };
  }
}

/** Agents read, and write, other characters in the place of bytes that are not UTF-8. */
function countLossyLines(text: string): string {
  const count = text.split(/\r\n?|\n/).filter((line) => line.includes("\uFFFD")).length;
  return count === 1 ? "1 non-UTF-8 line" : `${count} non-UTF-8 lines`;
}
