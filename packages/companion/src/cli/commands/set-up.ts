import { installers } from "../install/installers.ts";
import type { Command, Option } from "../invocation.ts";

const names = installers.map(({ name }) => name);

const common: readonly Option[] = [
  { name: "yes", short: "y", summary: "do not ask: for scripts" },
  { name: "dry-run", short: "n", summary: "show what would be changed, and change nothing" },
];

const exitCodes: NonNullable<Command["exitCodes"]> = [
  ["0", "done, or there was nothing to do"],
  ["1", "declined, or it cannot be done: then nothing is changed"],
  ["2", "wrong usage"],
];

export const install: Command = {
  name: "install",
  summary: "set up your editors, and IDE mode and hooks of the agent CLIs",
  words: { usage: "[editor|agent…]", completion: names, max: Number.POSITIVE_INFINITY },
  options: [{ name: "no-hooks", summary: "leave out the hooks that record what an agent writes" }, ...common],
  details: [
    "Without a name it finds the editors on this machine and offers them. Every change is shown before it is made; " +
      "ide-companion uninstall takes it back.",
    `Editors: ${installers.flatMap(({ kind, name }) => (kind === "editor" ? [name] : [])).join(", ")}. ` +
      `Agents, whose settings are changed when they are named: ${installers.flatMap(({ kind, name }) => (kind === "agent" ? [name] : [])).join(", ")}.`,
    "An agent's hooks record what it writes without asking, for ide-companion changes: the settings of your user call them, " +
      "and never those of a project.",
  ],
  exitCodes,
  examples: [
    ["ide-companion install", "the editors that are found here"],
    ["ide-companion install neovim gemini", "Neovim, and IDE mode in Gemini CLI"],
    ["ide-companion install --dry-run emacs", "what would be changed"],
  ],
  load: async () => (await import("../install/install-command.ts")).runInstall,
};

export const uninstall: Command = {
  name: "uninstall",
  summary: "undo what install has changed",
  words: { usage: "[editor|agent…]", completion: names, max: Number.POSITIVE_INFINITY },
  options: common,
  details: [
    "Without a name, everything. A file that is as install has left it becomes what it was before, byte for byte; from one that " +
      "you have changed since, only what install has put there is taken out.",
  ],
  exitCodes,
  examples: [["ide-companion uninstall neovim", "Neovim alone"]],
  load: async () => (await import("../install/uninstall-command.ts")).runUninstall,
};

export const completions: Command = {
  name: "completions",
  summary: "print a completion script for your shell",
  words: { usage: "bash|zsh|fish", completion: ["bash", "zsh", "fish"], max: 1 },
  passesOn: true,
  options: [],
  examples: [
    ['eval "$(ide-companion completions bash)"', "in ~/.bashrc"],
    ['eval "$(ide-companion completions zsh)"', "in ~/.zshrc, after compinit"],
    ["ide-companion completions fish | source", "in ~/.config/fish/config.fish"],
  ],
  load: async () => (await import("../completions/completions-command.ts")).runCompletions,
};
