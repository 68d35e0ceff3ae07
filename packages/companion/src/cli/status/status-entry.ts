import { type Command, help } from "../invocation.ts";

export const status: Command = {
  name: "status",
  summary: "show every companion that runs, its CLIs and what waits for a decision",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [{ name: "json", summary: "print JSON" }, help],
  details: ["Also shows discovery files that lead nowhere, and why. Tokens are never shown."],
  examples: [],
  load: async () => (await import("./status-command.ts")).runStatus,
};
