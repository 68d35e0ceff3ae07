import { historyLimits } from "../../core/history/past-decision.ts";
import { writtenLimits } from "../../core/written/written-log.ts";
import { type Command, verbs } from "../invocation.ts";

/** As many words as the user likes. */
const any = Number.POSITIVE_INFINITY;

export const diff: Command = {
  name: "diff",
  summary: "review a change by hand, and report the decision",
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
  ],
  details: [
    "Opens FILE as it is next to the text of NEWFILE in the companion that serves FILE, or else this folder, waits " +
      "for the decision, and prints it. Nothing is written unless one of the options says where.",
    "NEWFILE may be -, for standard input. Either may be /dev/null, for a file that is new or shall be empty. It works as git's difftool and as the CLIs' " +
      "external editor: docs/reference/commands.md says how.",
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
  load: async () => (await import("../diff/diff-command.ts")).runDiff,
};

export const edits: Command = {
  name: "edits",
  summary: "bring back what you typed in a proposal and no file holds",
  words: verbs({ list: 0, show: 1, diff: 1, restore: 1, discard: any }, "[ID]"),
  options: [
    { name: "json", summary: "print JSON" },
    { name: "force", short: "f", verbs: ["restore"], summary: "write over a file that has changed since" },
    { name: "all", verbs: ["discard"], summary: "forget everything that is listed" },
  ],
  details: [
    "What you type in a proposal is on disk within a third of a second, and stays there until its file holds it, you " +
      "reject the change, or you discard it: also when the agent ends or decides otherwise, and when the companion, the " +
      "editor or the machine is restarted. No companion needs to run for this command.",
    "list shows what there is, show prints a text, diff compares it with its file, restore ID writes it to its file, " +
      "discard ID forgets it for good. ID may be the beginning of one, and be missing " +
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
    ["ide-companion edits show 1f3a > mine.ts", "write it to another file"],
  ],
  load: async () => (await import("../edits/edits-command.ts")).runEdits,
};

export const comments: Command = {
  name: "comments",
  summary: "bring back comments on a proposal that no agent has received",
  words: verbs({ list: 0, show: 1, discard: any }, "[ID]"),
  options: [
    { name: "json", summary: "print JSON" },
    { name: "all", verbs: ["discard"], summary: "forget everything that is listed" },
  ],
  details: [
    "What you write about lines of a proposal is on disk within a third of a second, and stays there until an agent has " +
      "received it or you discard it. No companion needs to run for this command.",
    "list shows what there is, show prints the message that the agent would get, discard ID forgets it for good. ID may " +
      "be the beginning of one, and be missing when there is only one.",
  ],
  exitCodes: [
    ["0", "done"],
    ["2", "wrong usage, such as an id that does not exist"],
  ],
  examples: [
    ["ide-companion comments", "what there is"],
    ["ide-companion comments show 1f3a", "the message for the agent's prompt"],
  ],
  load: async () => (await import("../comments/comments-command.ts")).runComments,
};

const { days, records, bytes } = historyLimits;

export const history: Command = {
  name: "history",
  summary: "list what you decided, see it again, undo it or apply it again",
  words: verbs({ list: 0, show: 1, diff: 1, undo: 1, reapply: 1, discard: any }, "[ID]"),
  options: [
    { name: "json", summary: "print JSON" },
    { name: "limit", value: "N", verbs: ["list"], summary: "so many, the newest first; 20 unless given" },
    { name: "yes", short: "y", verbs: ["undo", "reapply"], summary: "write without asking" },
    { name: "all", verbs: ["discard"], summary: "forget all of them" },
  ],
  details: [
    "list shows the decisions of every companion of yours: accepted, rejected, or decided in the agent's terminal. diff " +
      "compares a file as it was with what was proposed or accepted, show prints that text, and undo takes an accepted " +
      "change out of its file again. reapply puts a change into its file afterwards, also a rejected one: with what you " +
      "had typed in it, or else as it was proposed. What has changed elsewhere in the file since then stays. Both show " +
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
    ["ide-companion history diff 1f3a", "what was accepted"],
    ["ide-companion history undo 1f3a", "take it back"],
    ["ide-companion history reapply 1f3a", "put a change into the file afterwards"],
  ],
  load: async () => (await import("../history/history-command.ts")).runHistory,
};

export const changes: Command = {
  name: "changes",
  summary: "see what agents wrote without asking, and keep it or take it back",
  words: verbs({ list: any, diff: any, keep: any, revert: any, undo: 0 }, "[FILE…]"),
  options: [
    { name: "json", summary: "print JSON" },
    { name: "turn", value: "ID", summary: "only what this turn has written" },
    {
      name: "hunk",
      value: "N",
      verbs: ["keep", "revert"],
      summary: "only this change of the file, counted from 1",
    },
    { name: "all", verbs: ["keep", "revert"], summary: "everything that is listed" },
    { name: "comment", value: "TEXT", verbs: ["revert"], summary: "what the agent is to hear about it" },
    { name: "yes", short: "y", verbs: ["revert", "undo"], summary: "write without asking" },
  ],
  details: [
    "Where ide-companion install has set up an agent's hooks, they record what the agent writes without asking, with the text " +
      "from before, by turn: a prompt and all that follows. No companion needs to run. list shows what nobody has looked " +
      "at, newest turn first, and diff prints it as a patch, which git apply -R takes.",
    "keep says that you have seen it. revert takes it out of the files as they are now, byte for byte, and leaves " +
      "everybody else's lines: where they clash it writes nothing. It shows what it would write, and asks. undo undoes the " +
      "last of both. ID may be the beginning of one.",
    "The agent hears what you have reverted, with your comment, by its next hook: with its next edit, or your next prompt.",
    `What nobody has looked at stays; the rest for ${writtenLimits.days} days, in private files. Of a file that is kept from agents, or has more ` +
      "than 4 MB, only that it has changed is recorded.",
  ],
  exitCodes: [
    ["0", "done"],
    ["1", "a file has changed since in the same lines, or nobody agreed: nothing is written"],
    ["2", "wrong usage, such as a turn that does not exist"],
  ],
  examples: [
    ["ide-companion changes", "what waits, by turn"],
    ["ide-companion changes diff --turn 1f3a", "as a patch"],
    ["ide-companion changes revert --turn 1f3a", "take one turn back"],
    ['ide-companion changes revert src/a.ts --comment "Keep the old name"', "and say why"],
    ["ide-companion changes keep src/a.ts", "one file is as it should be"],
  ],
  load: async () => (await import("../changes/changes-command.ts")).runChanges,
};
