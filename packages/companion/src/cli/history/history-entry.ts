import { historyLimits } from "../../core/history/past-decision.ts";
import { type Command, help } from "../invocation.ts";
import { verbs } from "./verbs.ts";

const { days, records, bytes } = historyLimits;

export const history: Command = {
  name: "history",
  summary: "list what you decided, see it again, undo it or apply it again",
  words: { usage: `[${verbs.join("|")}] [ID]`, completion: verbs, max: Number.POSITIVE_INFINITY },
  options: [
    { name: "json", summary: "print JSON" },
    { name: "search", value: "TEXT", summary: "list: those whose path, agent or outcome holds this" },
    { name: "limit", value: "N", summary: "list: so many, the newest first; 20 unless given" },
    { name: "yes", short: "y", summary: "undo, reapply: write without asking" },
    { name: "all", summary: "discard: forget all of them" },
    help,
  ],
  details: [
    "list shows the decisions of every companion of yours: accepted, rejected, or decided in the agent's terminal. diff " +
      "compares a file as it was with what was proposed or accepted, show prints that text, and undo takes an accepted " +
      "change out of its file again. reapply puts your version of a change into its file again: what you accepted, or " +
      "what you had typed before you rejected it. What has changed elsewhere in the file since then stays. Both show " +
      "what they would write, and ask. ID may be the beginning of one.",
    `${days} days are remembered, ${records} decisions and ${bytes / 1024 / 1024} MB at most, in private files: the oldest go first. Texts of files ` +
      "that are kept from agents, and of more than 4 MB, are not among them. discard forgets a decision for good.",
  ],
  exitCodes: [
    ["0", "done"],
    ["1", "the change cannot be undone or applied again, or nobody agreed to it"],
    ["2", "wrong usage, such as an id that does not exist"],
  ],
  examples: [
    ["ide-companion history", "the last decisions"],
    ["ide-companion history --search main.ts", "those about one file"],
    ["ide-companion history diff 1f3a", "what was accepted"],
    ["ide-companion history undo 1f3a", "take it back"],
    ["ide-companion history reapply 1f3a", "put your version into the file again"],
  ],
  load: async () => (await import("./history-command.ts")).runHistory,
};
