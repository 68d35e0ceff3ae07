import { type Command, help, serving } from "../invocation.ts";

export const lsp: Command = {
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
  load: async () => (await import("./lsp-command.ts")).runLsp,
};
