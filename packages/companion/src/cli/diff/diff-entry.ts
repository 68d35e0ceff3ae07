import { type Command, help } from "../invocation.ts";

export const diff: Command = {
  name: "diff",
  summary: "review a change by hand, and tell the decision",
  words: { usage: "FILE NEWFILE", completion: "files", max: 2 },
  options: [
    { name: "write", short: "w", summary: "write the accepted text to FILE" },
    {
      name: "output",
      short: "o",
      value: "PATH",
      summary: "write the accepted text to PATH, a regular file; - prints it",
    },
    { name: "json", summary: "print the outcome and the accepted text as JSON" },
    {
      name: "quiet",
      short: "q",
      summary: "print errors alone: for programs that have the terminal themselves",
    },
    help,
  ],
  details: [
    "Opens FILE as it is next to the text of NEWFILE in the companion that serves FILE, or else this folder, waits " +
      "for the decision, and prints it. Nothing is written unless one of the options says where.",
    "NEWFILE may be -, for standard input. Either may be /dev/null, for a file that is new or shall be empty. It works as git's difftool and as the CLIs' " +
      "external editor: docs/reference/commands.md tells how.",
  ],
  exitCodes: [
    ["0", "accepted, or there is no difference"],
    ["1", "no decision: no companion, or it has ended meanwhile; or the text could not be written"],
    ["2", "wrong usage"],
    ["3", "rejected"],
    ["128 + n", "ended by signal n, the review withdrawn"],
  ],
  examples: [
    ["ide-companion diff -w notes.md new.md", "take over what is accepted"],
    ["generate | ide-companion diff -w a.ts -", "review what a program prints"],
  ],
  load: async () => (await import("./diff-command.ts")).runDiff,
};
