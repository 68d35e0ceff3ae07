import { z } from "zod";
import { Cursor } from "./context.ts";

const filePath = z.string().describe("Absolute path of the file. It is echoed back exactly as it was sent.");

export const OpenDiffInput = z.object({
  filePath,
  newContent: z.string().describe("The whole proposed content of the file."),
});

export const CloseDiffInput = z.object({
  filePath,
  suppressNotification: z
    .boolean()
    .optional()
    .describe("When true, no notification follows: the caller has already decided."),
});

export const FilePathInput = z.object({ filePath });

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

const position = Cursor.shape;

/** Which file is to be shown, and where in it. */
export const OpenFileInput = z.object({
  filePath: z.string().describe("Absolute path of the file."),
  line: position.line.optional(),
  character: position.character.optional(),
});

/** `filePath` is absolute; `line` and `character` count from 1, in UTF-16 code units. */
export type OpenFileInput = z.infer<typeof OpenFileInput>;

/** Which diagnostics are asked for. */
export const GetDiagnosticsInput = z.object({
  filePath: z
    .string()
    .optional()
    .describe("Absolute path of one file; without it, of all that the editor knows."),
});

/** `filePath` is absolute; without it, diagnostics of all files. */
export type GetDiagnosticsInput = z.infer<typeof GetDiagnosticsInput>;

/** Something that a compiler, linter or language server has found. */
export const Diagnostic = z.object({
  filePath: z.string().describe("Absolute."),
  line: position.line,
  character: position.character,
  endLine: position.line.exactOptional(),
  endCharacter: position.character.exactOptional().describe("Of the first character behind it."),
  severity: z.enum(["error", "warning", "info", "hint"]),
  message: z.string(),
  source: z.string().exactOptional().describe("What has found it: `typescript`, `eslint`."),
  code: z.string().exactOptional().describe("The number or name that it has there."),
});

export type Diagnostic = z.infer<typeof Diagnostic>;

/** Diagnostics of one file, or of all that the editor knows. */
export const Diagnostics = z.object({
  diagnostics: z.array(Diagnostic).describe("Errors first; 500 at most."),
  omitted: z.int().describe("How many more there are."),
});

/** What `getDiagnostics` answers: lines and characters from 1, in UTF-16 code units. */
export type Diagnostics = z.infer<typeof Diagnostics>;

/**
 * Tools that a companion has besides those of the contract, when its editor can do what they are for. They are
 * listed to clients that announce themselves; to the CLIs the list is
 * what their specifications have.
 * @see docs/reference/contract.md#1-transport
 */
export const capabilityTools = {
  openFile: {
    description: "Shows a file in the user's editor, at a line when one is named.",
    input: OpenFileInput,
  },
  getDiagnostics: {
    description: "What compilers, linters and language servers in the user's editor have found.",
    input: GetDiagnosticsInput,
  },
} as const;

export type CapabilityName = keyof typeof capabilityTools;
