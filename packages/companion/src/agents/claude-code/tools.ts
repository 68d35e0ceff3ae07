import { z } from "zod";
import { toToolCall, toToolList } from "../tools.ts";

const tab_name = z.string().describe("Names the diff within this connection.");

export const OpenDiffInput = z.object({
  old_file_path: z.string().describe("Absolute path of the file."),
  new_file_path: z.string().describe("The same."),
  new_file_contents: z.string().describe("The whole proposed content of the file."),
  tab_name,
});

export const CloseTabInput = z.object({ tab_name });

export const GetDiagnosticsInput = z.object({
  uri: z.string().optional().describe("`file://` and an absolute path, not encoded; all files without it."),
});

/**
 * The tools that the CLI calls: the single source of their names, descriptions and input.
 * @see docs/reference/claude-code.md
 */
export const tools = {
  openDiff: {
    description:
      "Shows a proposed change of a file as a diff to review, edit, accept or reject, and answers once the user has decided.",
    input: OpenDiffInput,
  },
  close_tab: { description: "Closes a diff of the caller.", input: CloseTabInput },
  closeAllDiffTabs: { description: "Closes all diffs of the caller.", input: z.object({}) },
  getDiagnostics: {
    description: "What compilers, linters and language servers in the user's editor have found.",
    input: GetDiagnosticsInput,
  },
} as const;

/** As `tools/list` has them. */
export const toolList = toToolList(tools);

/** The parameters of `tools/call`. */
export const ToolCall = toToolCall(tools);
