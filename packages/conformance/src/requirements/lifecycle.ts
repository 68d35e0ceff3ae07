import { type Requirement, recommended, specification } from "./requirement.ts";

export const lifecycle: readonly Requirement[] = [
  {
    id: "L1",
    level: "MUST",
    rule: "The server listens before the discovery files appear.",
    sources: [specification("the lifecycle's section", "Start the server, then create the file.")],
  },
  {
    id: "L2",
    level: "MUST",
    rule: "At the end the discovery files are gone, though CLIs are connected and diffs are open.",
    sources: [
      specification("the lifecycle's section", "On deactivation, delete the file."),
      recommended("A stop that waits for open streams before it deletes leaves stale files."),
    ],
  },
  {
    id: "L3",
    level: "MUST",
    rule: "At the end the server stops: nobody listens on its port, and its streams are closed.",
    sources: [specification("the lifecycle's section", "On deactivation, stop the server.")],
  },
  {
    id: "L4",
    level: "SHOULD",
    rule: "The files are also gone when the terminal is closed (SIGHUP).",
    sources: [recommended("Every kind of exit that lets a program run should tidy up.")],
  },
  {
    id: "L5",
    level: "SHOULD",
    rule: "What a companion that was killed has left is swept away by the next start.",
    sources: [recommended("A stale file is tried first, or wins by its process id.")],
  },
  {
    id: "L6",
    level: "MUST",
    rule: "Files of processes that live are left alone, whatever their age.",
    sources: [recommended("They are another companion's.")],
  },
];
