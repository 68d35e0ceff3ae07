import { agentNames, type Command, help } from "../invocation.ts";

export const run: Command = {
  name: "run",
  summary: "start an agent CLI here, bound to the companion of this folder",
  words: { usage: `${agentNames.join("|")} [-- arg…]`, completion: agentNames, max: 1 },
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
  load: async () => (await import("./run-command.ts")).runAgent,
};
