import { z } from "zod";

/**
 * A place in a file.
 * @see docs/reference/contract.md#3-context
 */
export const Cursor = z.object({
  line: z.int().min(1).describe("1-based."),
  character: z.int().min(1).describe("1-based, counted in UTF-16 code units."),
});
export type Cursor = z.infer<typeof Cursor>;

/** One file that is open in the editor and exists on disk. */
export const OpenFile = z.object({
  path: z.string().describe("Absolute."),
  timestamp: z.number().describe("When it was last focused, in milliseconds since 1970."),
  isActive: z.boolean().optional().describe("True for the one file that has the focus."),
  cursor: Cursor.optional().describe("Of the active file only."),
  selectedText: z.string().optional().describe("Of the active file only; 16 384 UTF-16 units at most."),
});
export type OpenFile = z.infer<typeof OpenFile>;

/** Parameters of `ide/contextUpdate`: what the user is looking at. */
export const IdeContext = z.object({
  workspaceState: z
    .object({
      openFiles: z.array(OpenFile).optional().describe("Newest focus first, 10 at most."),
      isTrusted: z
        .boolean()
        .optional()
        .describe("Only from an editor with a notion of trust: false makes a CLI block."),
    })
    .optional(),
});
export type IdeContext = z.infer<typeof IdeContext>;
