import { agentNames, type Command, help } from "../invocation.ts";

export const doctor: Command = {
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
  load: async () => (await import("./doctor-command.ts")).runDoctor,
};
