import type { FileText, PageMessage } from "./api.ts";
import type { Ask } from "./connection.ts";

type Act = Extract<PageMessage, { readonly type: "act" }>;

/** What the user does with what the companion stores. It writes nothing when the file is not what the user has seen. */
export type Stored = ReturnType<typeof createStored>;

export function createStored(ask: Ask, warn: (error: unknown) => void) {
  /**
   * Writes recovered edits to their file, takes an accepted change out of it, puts one into it, sends comments to an
   * agent's prompt, or discards what is stored.
   * @param onDisk the file as it is shown
   * @returns whose prompt has it
   * @throws Error with a sentence for the user
   */
  async function act(
    list: Exclude<Act["list"], "written">,
    id: string,
    action: Act["action"],
    onDisk?: FileText,
  ): Promise<string | undefined> {
    const stamp = onDisk?.kind === "text" ? { stamp: onDisk.stamp } : {};
    return (await ask({ type: "act", list, id, action, ...stamp })).agent;
  }

  return {
    act,
    discard: (list: "edits" | "comments", id: string) => void act(list, id, "discard").catch(warn),
    /** Keeps or reverts what agents have written, or undoes the last such decision. @throws Error with a sentence */
    decide: (decision: Omit<Act, "type" | "list">) => ask({ type: "act", list: "written", ...decision }),
  };
}
