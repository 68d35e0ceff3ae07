import { z } from "zod";
import { shownFacts } from "./original.ts";

/** What agents wrote in one place of a file. */
export const WrittenHunk = z.object({
  id: z.string().describe("Stays the same as long as its lines are."),
  agent: z.string().describe("Who has written there last, for people."),
  turn: z.string().describe("The prompt for which that was."),
  line: z.int().min(1).describe("Its first line in the file; of lines that went, where they would begin."),
  added: z.int().describe("How many lines it has there."),
  removed: z.array(z.string()).describe("The lines that were there before, without their ends."),
});

/** Lines of a text, both included. */
export const Lines = z.object({ first: z.int().min(1), last: z.int().min(1) });

const fileHunks = {
  filePath: z.string().describe("As your context names it."),
  revision: z.string().describe("Names this state of the file."),
  hunks: z.array(WrittenHunk).describe("In the order of lines; empty when there is nothing to look at."),
};

/**
 * What a plugin and the frontend say to each other about files that agents have written.
 * @see docs/reference/protocol.md
 */
export const writtenMessages = {
  saved: {
    method: "companion/saved",
    params: z.object({
      path: z
        .string()
        .describe(
          "Absolute: the user has saved this file. Without it, what is saved while an agent's command runs counts as the command's.",
        ),
    }),
  },
  fileWritten: {
    method: "companion/fileWritten",
    params: z.object({
      id: z.string().describe("As `companion/openDiff` gave it; empty when the agent has not asked."),
      agent: z.string().describe("Who writes, for people."),
      filePath: z.string(),
      label: z.string().describe("The file for people."),
      isNew: z.boolean().describe("There was no file before."),
      isWritten: z
        .boolean()
        .describe("False two seconds after an acceptance that has not changed the file yet."),
      before: z
        .string()
        .nullable()
        .exactOptional()
        .describe("Where the agent has not asked: the `before` of `companion/merge`."),
    }),
  },
  writtenHunks: {
    method: "companion/writtenHunks",
    params: z.object(fileHunks),
  },
  placeHunks: {
    method: "companion/placeHunks",
    params: z.object({
      filePath: z.string().describe("As `companion/writtenHunks` names it."),
      content: z.string().describe("The buffer as it stands."),
    }),
    answer: z.object(fileHunks).describe("In its lines, without the hunks in which it is another text."),
  },
  decideHunks: {
    method: "companion/decideHunks",
    params: z.object({
      filePath: z.string(),
      revision: z.string().describe("Of the hunks that the user has seen."),
      content: z.string().describe("The buffer as it stands."),
      lines: Lines.describe("Of the buffer: what is in them is decided. What went is in both lines around."),
      action: z.enum(["keep", "revert"]),
    }),
    answer: z.object({
      content: z.string().exactOptional().describe("After `revert`, what the buffer is to hold."),
      edits: shownFacts.hunks.exactOptional().describe("Of `content`, against the buffer."),
      line: z.int().min(0).describe("Go on behind this line."),
    }),
  },
  nextWritten: {
    method: "companion/nextWritten",
    params: z.object({
      filePath: z.string().describe("The file where the user is; may be empty."),
      content: z.string().exactOptional().describe("Its buffer; without it another file is wanted."),
      line: z.int().min(0).describe("Where the user is in it."),
      by: z.literal([1, -1]).describe("To the next one, or to the one before."),
    }),
    answer: z.object({
      ...fileHunks,
      filePath: z
        .string()
        .nullable()
        .describe(
          "The same file, or another one: in the order of names, and in a circle. Null where nothing else waits.",
        ),
      lines: Lines.exactOptional().describe("Where the hunk is to which the user goes."),
    }),
  },
  merge: {
    method: "companion/merge",
    params: z.object({
      filePath: z.string(),
      before: z.string().nullable().describe("What the file was before that; null when there was none."),
      content: z.string().describe("The buffer, with edits that are not saved."),
    }),
    answer: z.object({
      content: z.string().describe("Both, in the line ends of the buffer."),
      isClean: z
        .boolean()
        .describe("False where both have changed the same lines: both versions stand between markers."),
      edits: shownFacts.hunks.describe("Of `content`, against the buffer: change these lines alone."),
    }),
  },
} as const;

export type FileWritten = z.infer<typeof writtenMessages.fileWritten.params>;
export type MergeParams = z.infer<typeof writtenMessages.merge.params>;
export type WrittenHunks = z.infer<typeof writtenMessages.writtenHunks.params>;
export type PlaceHunks = z.infer<typeof writtenMessages.placeHunks.params>;
export type DecideHunks = z.infer<typeof writtenMessages.decideHunks.params>;
export type NextWritten = z.infer<typeof writtenMessages.nextWritten.params>;
export type NextHunks = z.infer<typeof writtenMessages.nextWritten.answer>;
export type DecidedHunks = z.infer<typeof writtenMessages.decideHunks.answer>;
export type Lines = z.infer<typeof Lines>;
