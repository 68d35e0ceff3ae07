import { type Command, help, serving } from "../invocation.ts";

export const kakoune: Command = {
  name: "kakoune",
  summary: "serve a session of Kakoune; its script starts this",
  words: { usage: "session pid", completion: "nothing", max: 2 },
  options: [...serving, help],
  details: [
    "Makes a Kakoune session the IDE of the agent CLIs, and ends with it. You need not call this: " +
      "editors/kakoune/ide-companion.kak does. See docs/editors/kakoune.md.",
  ],
  examples: [],
  load: async () => (await import("./kakoune-command.ts")).runKakoune,
};
