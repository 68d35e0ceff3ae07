import type { FileText, FrontendMessage, PageMessage } from "./api.ts";

type Act = Extract<PageMessage, { readonly type: "act" }>;
type Asked = "act" | "openFile";
type Acted = Omit<Extract<FrontendMessage, { readonly type: "acted" }>, "type" | "id">;

const unreached = { trouble: "The companion cannot be reached just now." };

/** What the user does with what the companion stores. It writes nothing when the file is not what the user has seen. */
export type Stored = ReturnType<typeof createStored>;

export function createStored(send: (message: PageMessage) => boolean) {
  /** By the id of what they are about. */
  const waiting = new Map<string, (answer: Acted) => void>();

  /** @throws Error with a sentence for the user */
  async function ask(message: Extract<PageMessage, { readonly type: Asked }>): Promise<Acted> {
    const id = message.type === "openFile" ? message.path : message.id;
    const answer = await new Promise<Acted>((resolve) => {
      waiting.set(id, resolve);
      if (!send(message)) resolve(unreached);
    });
    waiting.delete(id);
    if (answer.trouble !== undefined) throw new Error(answer.trouble);
    return answer;
  }

  return {
    /**
     * Writes recovered edits to their file, takes an accepted change out of it, puts one into it, sends comments to an
     * agent's prompt, or discards what is stored.
     * @param onDisk the file as it is shown
     * @returns whose prompt has it
     * @throws Error with a sentence for the user
     */
    act: async (
      list: Exclude<Act["list"], "written">,
      id: string,
      action: Act["action"],
      onDisk?: FileText,
    ) => {
      const stamp = onDisk?.kind === "text" ? { stamp: onDisk.stamp } : {};
      return (await ask({ type: "act", list, id, action, ...stamp })).agent;
    },
    /** Keeps or reverts what agents have written, or undoes the last such decision. @throws Error with a sentence */
    decide: (decision: Omit<Act, "type" | "list">) => ask({ type: "act", list: "written", ...decision }),
    /** Opens a file in the user's editor. @throws Error with a sentence for the user */
    openFile: (path: string, line: number) => ask({ type: "openFile", path, line }),
    /** The companion's answer to any of them. */
    answered: (id: string, answer: Acted) => waiting.get(id)?.(answer),
    /** No answer comes any more. */
    disconnected: () => {
      for (const resolve of waiting.values()) resolve(unreached);
    },
  };
}
