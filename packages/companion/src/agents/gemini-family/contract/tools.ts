import { z } from "zod";

const filePath = z.string().describe("Absolute path of the file. It is echoed back exactly as it was sent.");

export const OpenDiffInput = z.object({
  filePath,
  newContent: z.string().describe("The whole proposed content of the file."),
});
export type OpenDiffInput = z.infer<typeof OpenDiffInput>;

export const CloseDiffInput = z.object({
  filePath,
  suppressNotification: z
    .boolean()
    .optional()
    .describe("When true, no notification follows: the caller has already decided."),
});
export type CloseDiffInput = z.infer<typeof CloseDiffInput>;

export const FilePathInput = z.object({ filePath });
export type FilePathInput = z.infer<typeof FilePathInput>;

/**
 * The tools of a companion: the single source of their names, descriptions and input.
 * @see docs/reference/contract.md#4-diffs
 */
export const tools = {
  openDiff: {
    description:
      "Shows a proposed change of a file as a diff to review, edit, accept or reject. Answers at once; " +
      "the decision follows as ide/diffAccepted or ide/diffRejected.",
    input: OpenDiffInput,
  },
  closeDiff: {
    description:
      "Closes the diff of a file and answers with its text as it stood, the user's edits included.",
    input: CloseDiffInput,
  },
  acceptDiff: {
    description:
      "Accepts the caller's own open diff of a file, writes its text to the file, and sends ide/diffAccepted.",
    input: FilePathInput,
  },
  rejectDiff: {
    description: "Rejects the caller's own open diff of a file and sends ide/diffRejected.",
    input: FilePathInput,
  },
} as const;

export type ToolName = keyof typeof tools;
