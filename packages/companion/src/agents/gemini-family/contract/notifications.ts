import { z } from "zod";
import { Cursor, IdeContext } from "./context.ts";

export const DiffAccepted = z.object({
  filePath: z.string().describe("Exactly as the CLI sent it."),
  content: z.string().describe("The final text, the user's edits included."),
});
export type DiffAccepted = z.infer<typeof DiffAccepted>;

export const DiffRejected = DiffAccepted.pick({ filePath: true });
export type DiffRejected = z.infer<typeof DiffRejected>;

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

/**
 * The same news in the dialect of `GET /events`, as an existing Neovim companion speaks it.
 * @see docs/reference/contract.md#1-transport
 */
export const events = {
  contextUpdate: {
    method: "notifications/context-update",
    params: z.object({
      openFiles: z.array(z.object({ path: z.string(), timestamp: z.number() })),
      activeFile: z
        .object({ path: z.string(), cursorPosition: Cursor.optional(), selection: z.string().optional() })
        .optional(),
    }),
  },
  diffAccepted: { method: "notifications/ide/diffAccepted", params: DiffAccepted },
  diffRejected: { method: "notifications/ide/diffRejected", params: DiffRejected },
} as const;
