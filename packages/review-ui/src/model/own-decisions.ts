import { explainError, type HistoryEntry } from "./api.ts";
import type { Base } from "./base.ts";
import type { References } from "./references.ts";

/** What this page decides about proposals, with messages that offer to undo it. */
export type OwnDecisions = ReturnType<typeof createOwnDecisions>;

/** What can be done to a file after a decision about it. */
type Rewriting = "undo" | "reapply";

export function createOwnDecisions(base: Base, references: Pick<References, "isHeard" | "send">) {
  const { api, stored, tabs, toasts } = base;
  const { t, translate } = base.wording;
  /** By the ids of proposals: the entries of all that were decided at once, as far as they count. */
  const waiting = new Map<string, HistoryEntry[]>();

  /** For people: several may be of one file. */
  function filesOf(entries: readonly HistoryEntry[]): string {
    const [label = "", ...others] = new Set(entries.map((one) => one.label));
    return others.length === 0 ? label : t("$1 files", others.length + 1);
  }

  function offer(entries: readonly [HistoryEntry, ...HistoryEntry[]]): void {
    const [first, ...others] = entries;
    const isAccepted = first.outcome === "accepted";
    const undoing = { label: t("Undo"), run: () => void rewrite("undo", entries), isUndo: true };
    // The agent has heard of the rejection: that stays.
    const label = t(others.length === 0 ? "Put it into the file" : "Put them into the files");
    const putting = { label, run: () => void rewrite("reapply", entries) };
    toasts.show({
      level: "info",
      subject: `decided ${first.id}`,
      text: t(isAccepted ? "Accepted: $1" : "Rejected: $1", filesOf(entries)),
      action: isAccepted ? undoing : putting,
    });
  }

  /** Writes the files as they are without the changes, or with them; the last one first. @param entries oldest first */
  async function rewrite(action: Rewriting, entries: readonly HistoryEntry[]): Promise<void> {
    let failure: { readonly id: string; readonly reason: string } | undefined;
    for (const { id } of entries.toReversed()) {
      try {
        await stored.act("history", id, action, (await api.history(id)).onDisk);
      } catch (error) {
        failure = { id, reason: explainError(error) };
      }
    }
    if (failure) {
      const { id, reason } = failure;
      const some = "Some changes could not be undone: look at each of them.";
      const text = translate(entries.length === 1 ? reason : some);
      const look = { label: t("Look at it"), run: () => tabs.open({ kind: "history", subject: id }) };
      return toasts.say({ level: "warning", text, action: look });
    }
    const put = entries.length === 1 ? "$1 contains the change now." : "$1 contain the changes now.";
    const text = t(action === "undo" ? "The change of $1 is undone." : put, filesOf(entries));
    const paths = entries.map(({ filePath }) => filePath);
    const send = { label: t("Send to agent"), run: () => references.send(...paths) };
    toasts.say({ level: "info", text, ...(references.isHeard.value && { action: send }) });
  }

  return {
    rewrite,
    /** Whether this page has decided about a proposal, and the decision does not count yet. */
    has: (proposal: string) => waiting.has(proposal),
    /** These are decided at once. */
    note: (proposals: readonly string[]) => {
      const entries: HistoryEntry[] = [];
      for (const id of proposals) waiting.set(id, entries);
    },
    refused: (proposal: string) => waiting.delete(proposal),
    /** The history is another one. What is accepted can be undone once its agent has written it. */
    received: (history: readonly HistoryEntry[]) => {
      for (const entry of history.toReversed()) {
        const { proposalId = "", outcome, fileResult } = entry;
        const counting = waiting.get(proposalId);
        if (!counting || (outcome === "accepted" && fileResult !== "written")) continue;
        waiting.delete(proposalId);
        counting.push(entry);
        const [first, ...others] = counting;
        if (first && outcome !== "closed") offer([first, ...others]);
      }
    },
    /** The companion has been restarted. */
    forget: () => waiting.clear(),
  };
}
