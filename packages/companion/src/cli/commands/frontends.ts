import { agentNames, agentOption, type Command, serving } from "../invocation.ts";

export const review: Command = {
  name: "",
  summary: "open the review page for one or several folders",
  words: { usage: "[folder…]", completion: "folders", max: Number.POSITIVE_INFINITY },
  options: [
    agentOption(`serve this agent only: ${agentNames.join(", ")}`),
    { name: "no-open", summary: "print the page's link instead of opening it" },
    {
      name: "log-level",
      value: "LEVEL",
      choices: ["quiet", "normal", "debug"],
      summary: "quiet, normal or debug",
    },
    ...serving,
    { name: "version", short: "v", summary: "print the version" },
  ],
  details: [
    "Serves the present folder, or those that are named, until it is stopped by Ctrl-C or a signal, by the " +
      "end of its terminal, or, where its standard input is a pipe, by the end of that.",
    "Where it runs already for these folders and with the same options, it opens that page and ends. Other agents, " +
      "or other rules of what they receive and may do, get a separate companion.",
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
  load: async () => (await import("../review/review-command.ts")).runReview,
};

export const lsp: Command = {
  name: "lsp",
  summary: "serve the editor that starts this as a language server",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [{ name: "stdio", summary: "what happens anyway; some editors insist on saying it" }, ...serving],
  details: [
    "Makes the editor at the other end of standard input and output the IDE of the agent CLIs. Put it where your " +
      "editor takes language servers; docs/editors says how, editor by editor.",
  ],
  load: async () => (await import("../lsp/lsp-command.ts")).runLsp,
};

export const kakoune: Command = {
  name: "kakoune",
  summary: "serve a session of Kakoune; its script starts this",
  words: { usage: "session pid", completion: "nothing", max: 2 },
  options: serving,
  details: [
    "Makes a Kakoune session the IDE of the agent CLIs, and ends with it. You need not call this: " +
      "editors/kakoune/ide-companion.kak does. See docs/editors/kakoune.md.",
  ],
  load: async () => (await import("../kakoune/kakoune-command.ts")).runKakoune,
};

export const mcp: Command = {
  name: "mcp",
  summary: "serve an agent that starts this as an MCP server: the editor as tools",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [
    {
      name: "folder",
      value: "PATH",
      summary: "the folder whose companion is meant; the present one otherwise",
    },
  ],
  details: [
    "Register it in any agent that knows MCP servers: it can then ask what the user has open, selected and wrong, show " +
      "files, and have changes reviewed. It goes on over the end of a companion and the start of the next.",
  ],
  load: async () => (await import("../mcp/mcp-command.ts")).runMcp,
};
