import { type Command, help } from "../invocation.ts";
import { verbs } from "./verbs.ts";

export const comments: Command = {
  name: "comments",
  summary: "bring back comments on a proposal that no agent has received",
  words: { usage: `[${verbs.join("|")}] [ID]`, completion: verbs, max: Number.POSITIVE_INFINITY },
  options: [
    { name: "json", summary: "print JSON" },
    { name: "all", summary: "discard: forget everything that is listed" },
    help,
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
  load: async () => (await import("./comments-command.ts")).runComments,
};
