import { type Requirement, recommended } from "../../requirement.ts";
import { specification } from "./specifications.ts";

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
    rule: "At the end the discovery files are removed, even if CLIs are connected and diffs are open.",
    sources: [
      specification("the lifecycle's section", "On deactivation, delete the file."),
      recommended("A stop that waits for open streams before it deletes leaves stale files."),
    ],
  },
  {
    id: "L3",
    level: "MUST",
    rule: "At the end the server stops: its port is closed, and so are its streams.",
    sources: [specification("the lifecycle's section", "On deactivation, stop the server.")],
  },
  {
    id: "L4",
    level: "SHOULD",
    rule: "The files are also removed when the terminal is closed (SIGHUP).",
    sources: [recommended("Every exit that a program can handle should clean up.")],
  },
  {
    id: "L5",
    level: "SHOULD",
    rule: "The next start removes the files of a companion that was killed.",
    sources: [recommended("A CLI may try a stale file first, or prefer it by its process id.")],
  },
  {
    id: "L6",
    level: "MUST",
    rule: "Files of running processes are left alone, however old they are.",
    sources: [recommended("They belong to another companion.")],
  },
];
