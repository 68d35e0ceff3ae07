import { type Command, help, type Option } from "../invocation.ts";

export const status: Command = {
  name: "status",
  summary: "show every companion that runs, its CLIs and what waits for a decision",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [{ name: "json", summary: "print JSON" }, help],
  details: ["Also shows discovery files that lead nowhere, and why. Tokens are never shown."],
  examples: [],
  load: async () => (await import("../status/status-command.ts")).runStatus,
};

export const watch: Command = {
  name: "watch",
  summary: "show live what the companion of this folder does",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [{ name: "json", summary: "print a JSON object for everything that happens, one a line" }, help],
  details: [
    "A line for what you are looking at, each agent that connects, each change and how it ends. " +
      "Goes on when the companion ends, and waits for the next one.",
    "It changes nothing, and no agent notices. With --json a report holds the selected text as well.",
  ],
  examples: [["ide-companion watch --json | jq -c .diffs", "for a status bar"]],
  load: async () => (await import("../watch/watch-command.ts")).runWatch,
};

const folderOrAll: readonly Option[] = [
  { name: "all", summary: "every companion that runs, not only those of this folder" },
  { name: "json", summary: "print JSON" },
  help,
];

const sharingCodes: Command["exitCodes"] = [
  ["0", "done, and every companion that was meant has taken it"],
  ["1", "no companion serves this folder, or one has not taken it"],
  ["2", "wrong usage"],
];

export const pause: Command = {
  name: "pause",
  summary: "send agents nothing of what you look at, until resume",
  words: { usage: "", completion: "nothing", max: 0 },
  options: folderOrAll,
  details: [
    "For all companions of this folder, in every editor and page. Agents stay connected and their proposals still come. It outlasts the " +
      "companion; no agent can undo it, for it needs a file in your state folder.",
  ],
  exitCodes: sharingCodes,
  examples: [
    ["ide-companion pause", "before you open what is nobody's business"],
    ["ide-companion pause --all", "before you share your screen"],
  ],
  load: async () => (await import("../pause/pause-command.ts")).runPause,
};

export const resume: Command = {
  name: "resume",
  summary: "send agents what you look at again",
  words: { usage: "", completion: "nothing", max: 0 },
  options: folderOrAll,
  details: ["Undoes ide-companion pause, and the same in an editor or a page."],
  exitCodes: sharingCodes,
  examples: [],
  load: async () => (await import("../pause/pause-command.ts")).runResume,
};
