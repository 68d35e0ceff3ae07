import { type Command, help } from "../invocation.ts";

export const forward: Command = {
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
  load: async () => (await import("./forward-command.ts")).runForward,
};
