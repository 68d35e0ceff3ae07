import { z } from "zod";

/**
 * A place in a file.
 * @see docs/reference/contract.md#3-context
 */
export const Cursor = z.object({
  line: z.int().min(1).describe("1-based."),
  character: z.int().min(1).describe("1-based, counted in UTF-16 code units."),
});

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

/** The open files, newest focus first, with the cursor and the selection of the active one. */
export type IdeContext = z.infer<typeof IdeContext>;

/** What the user says about lines of a change. */
export const DiffComment = z.object({
  side: z
    .enum(["proposed", "original"])
    .describe("Which text the lines are of: the proposed one as the user left it, or the file's."),
  startLine: z.int().min(0).describe("0 where the comment is on all of the diff."),
  endLine: z.int().min(0).describe("The last one, included; 0 in the same case."),
  quote: z.string().describe("These lines."),
  text: z.string(),
});

/** What the user writes about lines of a diff: line numbers from 1, and the lines as they stood. */
export type DiffComment = z.infer<typeof DiffComment>;

export const DiffAccepted = z.object({
  filePath: z.string().describe("Exactly as the CLI sent it."),
  content: z.string().describe("The final text, the user's edits included."),
  before: z
    .string()
    .exactOptional()
    .describe(
      "SHA-256, in hexadecimal, of the text that the file held when the user decided: `content` is made for it. " +
        "Only for clients that announce themselves.",
    ),
  comments: z
    .array(DiffComment)
    .exactOptional()
    .describe("What the user says with the decision; only for clients that announce themselves."),
});

const DiffRejected = DiffAccepted.pick({ filePath: true, comments: true });

/**
 * What a companion tells its CLIs on the MCP stream.
 * @see docs/reference/contract.md#3-context
 */
export const notifications = {
  contextUpdate: { method: "ide/contextUpdate", params: IdeContext },
  diffAccepted: { method: "ide/diffAccepted", params: DiffAccepted },
  diffRejected: { method: "ide/diffRejected", params: DiffRejected },
  /** Legacy; a CLI takes it as a rejection. We never send it, our client understands it. */
  diffClosed: { method: "ide/diffClosed", params: DiffAccepted.partial({ content: true }) },
} as const;
