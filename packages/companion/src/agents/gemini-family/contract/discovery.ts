import { z } from "zod";

/** The name of an editor, as a CLI shows it. */
export const IdeInfo = z.object({
  name: z.string().describe("Short, lower case: `vscode`, `neovim`."),
  displayName: z.string().describe("For people: `VS Code`."),
});
/** How an editor is called: `name` is short and lower case, `displayName` for people. */
export type IdeInfo = z.infer<typeof IdeInfo>;

/**
 * The content of a discovery file, as any companion may have written it.
 * @see docs/reference/contract.md#2-discovery
 */
export const DiscoveryFile = z.object({
  port: z.int().min(1).max(65_535),
  workspacePath: z
    .string()
    .optional()
    .describe("Absolute folders joined by the system's path delimiter; empty when none is open."),
  authToken: z.string().optional().describe("To be sent as `Authorization: Bearer` with every request."),
  ideInfo: IdeInfo.optional(),
  ppid: z.int().optional().describe("Qwen Code: the editor's process."),
  ideName: z.string().optional().describe("Qwen Code: the editor's name for people."),
  serverPid: z.int().optional().describe("Ours: the process that serves the port."),
});
export type DiscoveryFile = z.infer<typeof DiscoveryFile>;
