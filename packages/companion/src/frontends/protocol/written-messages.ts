import { z } from "zod";

/**
 * What a plugin and the frontend say to each other about files that agents have written.
 * @see docs/reference/protocol.md
 */
export const writtenMessages = {
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
    }),
  },
} as const;

export type FileWritten = z.infer<typeof writtenMessages.fileWritten.params>;
export type MergeParams = z.infer<typeof writtenMessages.merge.params>;
