import { agentNames, type Command, help, serving } from "../invocation.ts";

export const review: Command = {
  name: "",
  summary: "open the review page for one or several folders",
  words: { usage: "[folder…]", completion: "folders", max: Number.POSITIVE_INFINITY },
  options: [
    {
      name: "agent",
      value: "NAME",
      choices: agentNames,
      repeatable: true,
      summary: `serve this agent only: ${agentNames.join(", ")}`,
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
  load: async () => (await import("./review-command.ts")).runReview,
};
