import { type Command, help } from "../invocation.ts";
import { verbs } from "./verbs.ts";

export const edits: Command = {
  name: "edits",
  summary: "bring back what you typed in a proposal and no file holds",
  words: { usage: `[${verbs.join("|")}] [ID]`, completion: verbs, max: Number.POSITIVE_INFINITY },
  options: [
    { name: "json", summary: "print JSON" },
    { name: "force", short: "f", summary: "restore: write over a file that has changed since" },
    { name: "all", summary: "discard: forget everything that is listed" },
    help,
  ],
  details: [
    "What you type in a proposal is on disk within a third of a second, and stays there until its file holds it or you " +
      "discard it: also when the agent ends or decides otherwise, and when the companion, the editor or the machine is " +
      "restarted. No companion needs to run for this command.",
    "list shows what there is, show prints a text, diff compares it with its file, restore ID writes it to its file, " +
      "restore ID PATH to another one, discard ID forgets it for good. ID may be the beginning of one, and be missing " +
      "when there is only one.",
    "A file that has changed since you typed is not written over without --force: restore shows what that would change.",
  ],
  exitCodes: [
    ["0", "done"],
    ["1", "the file has changed since, or could not be written"],
    ["2", "wrong usage, such as an id that does not exist"],
  ],
  examples: [
    ["ide-companion edits", "what there is"],
    ["ide-companion edits restore 1f3a", "write it to its file"],
    ["ide-companion edits restore 1f3a mine.ts", "write it to another file"],
  ],
  load: async () => (await import("./edits-command.ts")).runEdits,
};
