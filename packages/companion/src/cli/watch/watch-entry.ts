import { type Command, help } from "../invocation.ts";

export const watch: Command = {
  name: "watch",
  summary: "show live what the companion of this folder does",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [
    {
      name: "lines",
      summary: "print a line for everything that happens, as where the output is no terminal",
    },
    { name: "json", summary: "print a JSON object for everything that happens, one a line" },
    help,
  ],
  details: [
    "What you are looking at, which agents are connected, what waits for a decision and how the last ones ended. " +
      "Goes on when the companion ends, and waits for the next one.",
    "It changes nothing, and no agent notices. With --json a report holds the selected text as well.",
  ],
  examples: [["ide-companion watch --json | jq -c .diffs", "for a status bar"]],
  load: async () => (await import("./watch-command.ts")).runWatch,
};
