import { z } from "zod";
import { toToolCall, toToolList } from "../tools.ts";

const tab_name = z.string().describe("Names the diff within this session.");

export const OpenDiffInput = z.object({
  original_file_path: z.string().describe("Absolute path of the file, which may not exist yet."),
  new_file_contents: z.string().describe("The whole proposed content of the file."),
  tab_name,
});

export const CloseDiffInput = z.object({ tab_name });

export const GetDiagnosticsInput = z.object({
  uri: z.string().optional().describe("`file://` and an absolute path; all files without it."),
});

export const UpdateSessionNameInput = z.object({ name: z.string() });

/**
 * The tools that the CLI calls: the single source of their names, descriptions and input.
 * @see docs/reference/copilot-cli.md
 */
export const tools = {
  open_diff: {
    description:
      "Shows a proposed change of a file as a diff to review, accept or reject, and answers once the user has decided.",
    input: OpenDiffInput,
  },
  close_diff: { description: "Closes a diff of the caller.", input: CloseDiffInput },
  get_selection: { description: "The text that the user has selected in the editor.", input: z.object({}) },
  get_diagnostics: {
    description: "What compilers, linters and language servers in the user's editor have found.",
    input: GetDiagnosticsInput,
  },
  update_session_name: {
    description: "Tells the editor's user which conversation a diff belongs to.",
    input: UpdateSessionNameInput,
  },
} as const;

/** As `tools/list` has them. */
export const toolList = toToolList(tools);

/** The parameters of `tools/call`. */
export const ToolCall = toToolCall(tools);
