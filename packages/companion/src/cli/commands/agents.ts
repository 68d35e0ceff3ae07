import { reviewModes } from "../../core/written/review-mode.ts";
import { agentNames, agentOption, type Command, exitCodes, hookedNames, type Option } from "../invocation.ts";

export const run: Command = {
  name: "run",
  summary: "start an agent CLI here, bound to the companion of this folder",
  words: { usage: `${agentNames.join("|")} [-- arg…]`, completion: agentNames, max: 1 },
  passesOn: true,
  options: [
    {
      name: "tmux",
      value: "NAME",
      summary: "in a session of tmux 3.2 or newer, one for each name and folder, which outlives the terminal",
    },
  ],
  details: [
    "Works in every terminal, tmux and external ones included: the CLI learns which companion to use and " +
      "does not have to find its editor. What follows the name is handed to the CLI.",
    "Of several companions that serve this folder, the one that this terminal belongs to is used, or else the one " +
      "with the innermost folder, or else the newest.",
  ],
  exitCodes: [
    ["the CLI's own", "once it was started; 128 + the signal's number when a signal ended it"],
    ["1", "no companion serves this folder"],
    ["2", "wrong usage"],
    ["127", "the CLI is not installed"],
  ],
  examples: [
    ["ide-companion run gemini", "Gemini CLI, reviewed in the companion of this folder"],
    ['ide-companion run qwen -- -i "fix the tests"', "Qwen Code with its arguments"],
  ],
  load: async () => (await import("../run/run-command.ts")).runAgent,
};

export const forward: Command = {
  name: "forward",
  summary: "let agents on another machine use the companion of this folder, over ssh",
  words: { usage: "HOST [folder]", completion: "nothing", max: 2 },
  options: [
    {
      name: "ssh-option",
      short: "o",
      value: "OPTION",
      repeatable: true,
      summary: "hand this to ssh, as with its own -o: Port=2222",
    },
  ],
  details: [
    "The editor is here, the CLI there: it finds the editor as if it were on its own machine. The project lies on both, by " +
      "a mount or a copy; folder says where it is on HOST, otherwise at the same place in your home.",
    "Needs ssh here, and sshd and a POSIX shell there. A connection that breaks is made again. When the companion ends, this waits " +
      "for the next one of the folder and shares that. Ctrl-C ends it, and removes everything that it has written there.",
  ],
  examples: [
    ["ide-companion forward build.example.org", "the folder of the same name there"],
    ["ide-companion forward ada@10.0.0.7 /srv/app", "another one"],
  ],
  load: async () => (await import("../forward/forward-command.ts")).runForward,
};

export const doctor: Command = {
  name: "doctor",
  summary: "say why an agent CLI does not connect here or shows no diffs, and what to do",
  words: { usage: "[AGENT]", completion: hookedNames, max: 1 },
  options: [{ name: "json", summary: "print JSON" }],
  details: [
    "Looks at what a CLI needs that starts in this terminal and folder: its version and settings, " +
      "variables, a companion that has the folder open, and the connection down to the tools. " +
      "Each thing that is wrong comes with one remedy. Without a name every CLI that is installed is examined, of " +
      `${hookedNames.join(", ")}. ` +
      "CLIs that run in this folder already are named when they must be restarted. " +
      "Nothing is changed; tokens are never shown.",
  ],
  exitCodes: [
    ["0", "nothing keeps the CLI from showing its diffs in the IDE, as far as is known"],
    ["1", "something does"],
    ["2", "wrong usage"],
  ],
  examples: [["ide-companion doctor gemini", "why Gemini CLI does not find its IDE"]],
  load: async () => (await import("../doctor/doctor-command.ts")).runDoctor,
};

export const reviewMode: Command = {
  name: "review",
  summary: "say when you look at what agents write in this folder: before or after",
  words: { usage: `[${reviewModes.join("|")}]`, completion: reviewModes, max: 1 },
  options: [
    agentOption("only for this agent; for all of them otherwise", hookedNames),
    {
      name: "always",
      value: "GLOB",
      repeatable: true,
      summary: "ask before such a file is written, whatever the mode is; as in a .gitignore",
    },
    { name: "not-always", value: "GLOB", repeatable: true, summary: "leave that to the mode again" },
    { name: "json", summary: "print JSON" },
  ],
  details: [
    "before: while a companion serves this folder, an agent asks in every mode, also in those in which it " +
      "otherwise does not, and its diff opens in your editor. after: it writes, and ide-companion changes shows what. off: " +
      "nothing is recorded. Without a word it says what counts here; what nobody has said is after.",
    "It takes what ide-companion install AGENT sets up, and counts at once for this folder and those below it, except for those " +
      "that something else was said for. Qwen Code waits for a minute. A CLI that " +
      "has no user at its terminal, as with -p, is never made to ask.",
    "--always adds to the files that you are asked about also with after and off, by agents that can be made to ask; " +
      "--not-always removes from them. They count for this folder and those below it, next to those that were said for a folder " +
      "above. What a command of an agent's shell writes, you look at afterwards.",
  ],
  examples: [
    ["ide-companion review before", "see each change before it is written"],
    ["ide-companion review off --agent codex", "record nothing of Codex CLI"],
    ["ide-companion review --always .env --always migrations/", "see changes of these before in any case"],
  ],
  load: async () => (await import("../review-mode/review-mode-command.ts")).runReviewMode,
};

export const status: Command = {
  name: "status",
  summary: "show every companion that runs, its CLIs and what waits for a decision",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [{ name: "json", summary: "print JSON" }],
  details: ["Also shows discovery files that lead nowhere, and why. Tokens are never shown."],
  load: async () => (await import("../status/status-command.ts")).runStatus,
};

const folderOrAll: readonly Option[] = [
  { name: "all", summary: "every companion that runs, not only those of this folder" },
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
  load: async () => (await import("../pause/pause-command.ts")).runResume,
};

export const hook: Command = {
  name: "hook",
  summary: "record what an agent writes: its hooks call this",
  words: { usage: "AGENT [EVENT]", completion: hookedNames, max: 2 },
  options: [],
  details: [
    "Reads one call of a hook from standard input, prints what the agent is to know, which is mostly nothing, and always " +
      "ends with 0: an agent never stops for it. " +
      "ide-companion install AGENT sets the hooks up; ide-companion changes shows what they recorded.",
  ],
  examples: [["ide-companion install gemini", "let Gemini CLI call it"]],
  // The program's entry calls it, before anything of the commands is loaded.
  load: async () => async () => exitCodes.ok,
};
