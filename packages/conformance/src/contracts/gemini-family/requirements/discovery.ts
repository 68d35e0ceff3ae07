import {
  code,
  observed,
  type Requirement,
  recommended,
  specification,
  specificationOf,
} from "../../requirement.ts";

export const discovery: readonly Requirement[] = [
  {
    id: "D1",
    level: "MUST",
    agent: "gemini",
    rule: "There is a file `<tmp>/gemini/ide/gemini-ide-server-<pid>-<port>.json`; its folders are created if they are missing.",
    sources: [specificationOf("gemini", "I.2", "The file MUST be there, under this name.")],
  },
  {
    id: "D2",
    level: "MUST",
    agent: "qwen",
    rule: "There is a file `<tmp>/qwen/ide/qwen-code-ide-server-<pid>-<port>.json`; its folders are created if they are missing.",
    sources: [specificationOf("qwen", "I.2", "The file MUST be there, under this name.")],
  },
  {
    id: "D3",
    level: "MUST",
    agent: "qwen",
    rule: "There is a file `<QWEN_HOME or ~/.qwen>/ide/<port>.lock`.",
    sources: [observed("Qwen Code reads this one, and never the documented one.")],
  },
  {
    id: "D4",
    level: "MUST",
    rule: "A discovery file is a JSON object with `port` (a number), `workspacePath`, `authToken` (strings) and `ideInfo` with `name` and `displayName`.",
    sources: [
      specification("I.2", "The file MUST hold an object of this structure."),
      observed("`ideInfo` lets both CLIs connect in terminals outside the editor."),
    ],
  },
  {
    id: "D5",
    level: "SHOULD",
    rule: "`ideInfo.name` is a short identifier in lower case, `ideInfo.displayName` a name for people.",
    sources: [
      specification("I.2", "Both are described like this."),
      observed("`/ide status` shows the second."),
    ],
  },
  {
    id: "D6",
    level: "MUST",
    rule: "`port` and the port in the file's name are the port of the server, and it accepts `authToken`.",
    sources: [specification("I.2", "The file gives the CLI the port to use and the token to send.")],
  },
  {
    id: "D7",
    level: "MUST",
    rule: "`workspacePath` holds the absolute paths of all open folders, joined by the system's path delimiter.",
    sources: [
      specification(
        "I.2",
        "The companion MUST provide the right absolute paths; a CLI elsewhere is refused.",
      ),
      code("The CLI resolves symbolic links on both sides before it compares."),
    ],
  },
  {
    id: "D8",
    level: "MUST",
    rule: "The process id in a file's name is that of a running process: the editor.",
    sources: [
      specification("I.2", "The name MUST hold the id of the IDE's process, by which the CLI finds it."),
    ],
  },
  {
    id: "D9",
    level: "MUST",
    agent: "qwen",
    rule: "The lock names a running process in `ppid`.",
    sources: [
      observed("Qwen Code deletes a lock whose `ppid` is dead, and one with several folders that has none."),
    ],
  },
  {
    id: "D10",
    level: "SHOULD",
    agent: "qwen",
    rule: "The lock has an `ideName`.",
    sources: [observed("Qwen Code's own companion writes it.")],
  },
  {
    id: "D11",
    level: "SHOULD",
    rule: "Terminals of the editor have the port and the folders in `GEMINI_CLI_IDE_SERVER_PORT` and `GEMINI_CLI_IDE_WORKSPACE_PATH`, or `QWEN_CODE_IDE_SERVER_PORT` and `QWEN_CODE_IDE_WORKSPACE_PATH`.",
    sources: [
      specification("I.2", "The companion SHOULD provide both, file and variables."),
      code("They decide when several editors have the same folder open."),
    ],
  },
  {
    id: "D12",
    level: "SHOULD",
    rule: "When a folder is opened or closed, the files are rewritten.",
    sources: [specification("I.2", "`workspacePath` lists all the folders that are open.")],
  },
  {
    id: "D13",
    level: "SHOULD",
    rule: "When no folder is open, `workspacePath` is the empty string.",
    sources: [code("The CLI then reports that no folder is open, and not that the companion is missing.")],
    unchecked: "It takes an editor that is started without a folder.",
  },
  {
    id: "D14",
    level: "MAY",
    rule: "Files under older names, for older CLIs, have the same port and token.",
    sources: [
      code("Gemini CLI also reads `<tmp>/gemini/ide/gemini-ide-server-<pid>.json`."),
      observed("Qwen Code also reads `<tmp>/qwen-code-ide-server-<pid>.json` and `-<port>.json`."),
    ],
  },
  {
    id: "D15",
    level: "MAY",
    rule: "A file may offer standard input and output instead of a port, as `stdio` with `command` and `args`.",
    sources: [code("Both CLIs read it.")],
  },
  {
    id: "D16",
    level: "SHOULD",
    rule: "Two companions in one folder have different files, and both serve.",
    sources: [recommended("Two windows on one project are common.")],
  },
  {
    id: "D17",
    level: "MAY",
    agent: "gemini",
    rule: "Terminals of the editor have its token in `GEMINI_CLI_IDE_AUTH_TOKEN` and its process id in `GEMINI_CLI_IDE_PID`; both are then those of the discovery file.",
    sources: [
      code(
        "With the token a CLI connects without the file; by the process id it finds the file in a terminal multiplexer.",
      ),
    ],
  },
];

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
