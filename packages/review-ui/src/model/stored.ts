import { computed, signal } from "@preact/signals";
import type { EditsSummary, FileText, PageMessage } from "./api.ts";
import type { Ask } from "./connection.ts";
import { recall, remember } from "./preferences.ts";

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

/** A text that only this page has. */
type LooseEdits = Omit<Extract<PageMessage, { readonly type: "keep-edits" }>, "type">;

/**
 * The user's edits that would be lost otherwise. The companion stores them.
 * @param onTrouble called with a text that only this page has still
 */
export function createRecoveredEditsStore(ask: Ask, onTrouble: (error: unknown, edits: LooseEdits) => void) {
  const list = signal<readonly EditsSummary[]>([]);
  const loose = new Set<LooseEdits>();
  const known = recall(localStorage, "edits");
  const seen = signal<ReadonlySet<unknown>>(new Set(Array.isArray(known) ? known : []));

  async function keep(edits: LooseEdits): Promise<void> {
    loose.add(edits);
    try {
      await ask({ type: "keep-edits", ...edits });
      loose.delete(edits);
    } catch (error) {
      onTrouble(error, edits);
    }
  }

  return {
    list,
    /** Those that the user has not seen yet. */
    news: computed(() => list.value.filter(({ id }) => !seen.value.has(id))),
    /** Sends a text to the companion to store it, again with each list until it has done so. */
    keep,
    received: (edits: readonly EditsSummary[]) => {
      const ids = edits.map(({ id }) => id);
      remember(localStorage, "edits", ids); // a reload does not bring the notice back
      list.value = edits;
      for (const one of loose) void keep(one);
    },
    /** The user has seen them. The texts stay. */
    dismiss: () => {
      seen.value = new Set(list.value.map(({ id }) => id));
    },
  };
}
