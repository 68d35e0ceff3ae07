import { agents } from "../agents/agents.ts";
import type { Command, Option } from "./command.ts";
import { edits } from "./edits/edits-entry.ts";
import { install, uninstall } from "./install/install-commands.ts";

const help: Option = { name: "help", short: "h", summary: "show this help" };
const agentNames = agents.map(({ name }) => name);
const startingNames = agents.filter(({ startsIde }) => startsIde).map(({ name }) => name);

/** Of the commands that serve agents. */
const serving: readonly Option[] = [
  {
    name: "exclude",
    value: "GLOB",
    repeatable: true,
    summary: "keep these files from agents, as in a .gitignore; !GLOB shares them",
  },
  { name: "exclude-git-ignored", summary: "keep files from agents that git ignores" },
  { name: "no-agent-accept", summary: "let no agent accept its own changes: only you decide" },
];

const review: Command = {
  name: "",
  summary: "open the review page for one or several folders",
  words: { usage: "[folder…]", completion: "folders", max: Number.POSITIVE_INFINITY },
  options: [
    {
      name: "agent",
      value: "NAME",
      choices: agentNames,
      repeatable: true,
      summary: `be found by this agent only: ${agentNames.join(", ")}`,
    },
    { name: "no-open", summary: "print the page's link instead of opening it" },
    {
      name: "log-level",
      value: "LEVEL",
      choices: ["quiet", "normal", "debug"],
      summary: "quiet, normal or debug",
    },
    ...serving,
    help,
    { name: "version", short: "v", summary: "print the version" },
  ],
  details: [
    "Serves the present folder, or those that are named, until it is stopped by q, Ctrl-C or a signal, by the " +
      "end of its terminal, or, where its standard input is a pipe, by the end of that.",
  ],
  exitCodes: [
    ["0", "ended as asked"],
    ["1", "failed"],
    ["2", "wrong usage, such as a folder that does not exist"],
    ["128 + n", "ended by signal n"],
  ],
  examples: [
    ["ide-companion", "review what agents propose in this folder"],
    ["ide-companion ~/app ~/lib", "one page for two folders"],
  ],
  load: async () => (await import("./review/review-command.ts")).runReview,
};

const run: Command = {
  name: "run",
  summary: "start an agent CLI here, bound to the companion of this folder",
  words: { usage: `${agentNames.join("|")} [-- argument…]`, completion: agentNames, max: 1 },
  passesOn: true,
  options: [help],
  details: [
    "Works in every terminal, tmux and external ones included: the CLI learns which companion to use and " +
      "does not have to find its editor. What follows the name is handed to the CLI.",
    "Also starts versions that find no companion otherwise: Gemini CLI from 0.8, Qwen Code from 0.5.",
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
  load: async () => (await import("./run/run-command.ts")).runAgent,
};

const status: Command = {
  name: "status",
  summary: "show every companion that runs, its CLIs and what waits for a decision",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [{ name: "json", summary: "print JSON" }, help],
  details: ["Also shows discovery files that lead nowhere, and why. Tokens are never shown."],
  examples: [],
  load: async () => (await import("./status/status-command.ts")).runStatus,
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

const pause: Command = {
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
  load: async () => (await import("./pause/pause-command.ts")).runPause,
};

const resume: Command = {
  name: "resume",
  summary: "send agents what you look at again",
  words: { usage: "", completion: "nothing", max: 0 },
  options: folderOrAll,
  details: ["Undoes ide-companion pause, and the same in an editor or a page."],
  exitCodes: sharingCodes,
  examples: [],
  load: async () => (await import("./pause/pause-command.ts")).runResume,
};

const doctor: Command = {
  name: "doctor",
  summary: "tell why an agent CLI does not connect here or shows no diffs, and what to do",
  words: { usage: `[${agentNames.join("|")}]`, completion: agentNames, max: 1 },
  options: [{ name: "json", summary: "print JSON" }, help],
  details: [
    "Takes every step of a CLI that starts in this terminal and folder: its settings, the " +
      "process that it takes for the IDE's, variables, discovery files, and the connection down to the tools. " +
      "Every step that fails comes with one remedy. Without a name every CLI that is installed is examined. " +
      "CLIs that run in this folder already are named when they must be restarted. " +
      "Nothing is changed; tokens are never shown.",
  ],
  exitCodes: [
    ["0", "the CLI connects and shows its diffs in the IDE"],
    ["1", "it does not"],
    ["2", "wrong usage"],
  ],
  examples: [["ide-companion doctor gemini", "why Gemini CLI does not find its IDE"]],
  load: async () => (await import("./doctor/doctor-command.ts")).runDoctor,
};

const env: Command = {
  name: "env",
  summary: "print the variables that bind a terminal's CLIs to the companion of this folder",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [
    {
      name: "shell",
      value: "NAME",
      choices: ["sh", "fish", "powershell", "cmd"],
      summary: "write for this shell: sh (bash and zsh, too), fish, powershell, cmd; guessed otherwise",
    },
    {
      name: "agent",
      value: "NAME",
      choices: agentNames,
      repeatable: true,
      summary: `only for this agent: ${agentNames.join(", ")}`,
    },
    { name: "json", summary: "print one JSON object" },
    { name: "unset", summary: "print what takes the variables out of the terminal again" },
    help,
  ],
  details: [
    "Every CLI that is started in that terminal afterwards connects to this companion and to no other, as with " +
      "ide-companion run. When the companion ends they are stale: evaluate them again, or --unset.",
    "They hold a token. Every program that is started in that terminal can read it, and with it what you are " +
      "looking at, and show you changes. Keep the lines out of logs, scripts and profiles.",
  ],
  examples: [
    ['eval "$(ide-companion env)"', "in bash, zsh, dash"],
    ["ide-companion env | source", "in fish"],
    ["ide-companion env | Out-String | Invoke-Expression", "in PowerShell"],
    [`for /f "delims=" %i in ('ide-companion env --shell cmd') do @%i`, "in cmd"],
    ['eval "$(ide-companion env --unset)"', "when you are done"],
  ],
  load: async () => (await import("./env/env-command.ts")).runEnv,
};

const watch: Command = {
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
  load: async () => (await import("./watch/watch-command.ts")).runWatch,
};

const diff: Command = {
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
  load: async () => (await import("./diff/diff-command.ts")).runDiff,
};

const mcp: Command = {
  name: "mcp",
  summary: "serve an agent that starts this as an MCP server: the editor as tools",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [
    {
      name: "folder",
      value: "PATH",
      summary: "the folder whose companion is meant; the present one otherwise",
    },
    {
      name: "agent",
      value: "NAME",
      choices: startingNames,
      summary: `IDE mode itself instead of tools, over standard input and output, for this CLI: ${startingNames.join(", ")}`,
    },
    help,
  ],
  details: [
    "Register it in any agent that knows MCP servers: it can then ask what the user has open, selected and wrong, show " +
      "files, and have changes reviewed. It goes on over the end of a companion and the start of the next.",
    "With --agent it is what Gemini CLI and Qwen Code start by their variable …_IDE_SERVER_STDIO_COMMAND, for places " +
      "where no port can be reached. docs/reference/commands.md has the settings.",
  ],
  examples: [],
  load: async () => (await import("./mcp/mcp-command.ts")).runMcp,
};

const forward: Command = {
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
    help,
  ],
  details: [
    "The editor is here, the CLI there: it finds the editor as if it were on its own machine. The project lies on both, by " +
      "a mount or a copy; folder says where it is on HOST, otherwise at the same place in your home.",
    "Needs ssh here, and sshd and a POSIX shell there. A connection that breaks is made again. It ends with Ctrl-C or with the " +
      "companion, and removes everything that it has written there.",
  ],
  examples: [
    ["ide-companion forward build.example.org", "the folder of the same name there"],
    ["ide-companion forward ada@10.0.0.7 /srv/app", "another one"],
  ],
  load: async () => (await import("./forward/forward-command.ts")).runForward,
};

const lsp: Command = {
  name: "lsp",
  summary: "serve the editor that starts this as a language server",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [
    { name: "stdio", summary: "what happens anyway; some editors insist on saying it" },
    ...serving,
    help,
  ],
  details: [
    "Makes the editor at the other end of standard input and output the IDE of the agent CLIs. Put it where your " +
      "editor takes language servers; docs/editors tells how, editor by editor.",
  ],
  examples: [],
  load: async () => (await import("./lsp/lsp-command.ts")).runLsp,
};

const kakoune: Command = {
  name: "kakoune",
  summary: "serve a session of Kakoune; its script starts this",
  words: { usage: "session pid", completion: "nothing", max: 2 },
  options: [...serving, help],
  details: [
    "Makes a Kakoune session the IDE of the agent CLIs, and ends with it. You need not call this: " +
      "editors/kakoune/ide-companion.kak does. See docs/editors/kakoune.md.",
  ],
  examples: [],
  load: async () => (await import("./kakoune/kakoune-command.ts")).runKakoune,
};

const completions: Command = {
  name: "completions",
  summary: "print a completion script for your shell",
  words: { usage: "bash|zsh|fish", completion: ["bash", "zsh", "fish"], max: 1 },
  options: [help],
  details: [],
  examples: [
    ['eval "$(ide-companion completions bash)"', "in ~/.bashrc"],
    ['eval "$(ide-companion completions zsh)"', "in ~/.zshrc, after compinit"],
    ["ide-companion completions fish | source", "in ~/.config/fish/config.fish"],
  ],
  load: async () => (await import("./completions/completions-command.ts")).runCompletions,
};

/** What happens when no command is named. */
export const defaultCommand = review;

/** The single source of parsing, help and completions. */
export const commands: readonly Command[] = [
  review,
  install,
  uninstall,
  run,
  env,
  status,
  pause,
  resume,
  doctor,
  watch,
  diff,
  edits,
  mcp,
  forward,
  lsp,
  kakoune,
  completions,
];
