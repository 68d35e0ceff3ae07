import { type Command, help } from "../invocation.ts";

export const completions: Command = {
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
  load: async () => (await import("./completions-command.ts")).runCompletions,
};
