/** An agent CLI with an IDE mode, as `--agent` names it. */
export type AgentName = "gemini" | "qwen";

/** The kinds of their discovery files. */
export type FileKind = "gemini-file" | "gemini-older-file" | "qwen-lock" | "qwen-file" | "qwen-older-file";

/** What the kit knows of an agent CLI. */
export interface Agent<Kind extends string = string> {
  /** Its name for people. */
  readonly title: string;
  /** The version of MCP that it asks for, and its own version in `clientInfo`, as seen in its traffic. */
  readonly protocolVersion: string;
  readonly clientVersion: string;
  /** What the names of its variables in a terminal of the editor begin with. */
  readonly variablePrefix: string;
  /** Whether these variables may hold its token and the editor's process id. */
  readonly hasTerminalSecrets: boolean;
  /** Whether it reads the answer of `closeDiff` as JSON only. */
  readonly readsJsonText: boolean;
  /** Its own folder: the variable that names it, and where it is in the user's home otherwise. */
  readonly home?: { readonly variable: string; readonly folder: string };
  /** Its discovery files; of two kinds, it prefers the one that is listed first. */
  readonly files: readonly FileTemplate<Kind>[];
}

/** A kind of discovery file. */
export interface FileTemplate<Kind extends string = string> {
  readonly kind: Kind;
  /** With `<tmp>`, `<home>`, `<pid>`, `<port>`, and `<number>` for either of the last two. */
  readonly path: string;
  /** The requirement that asks for it; absent for a kind that only older versions read. */
  readonly requirement?: string;
  /** What it holds besides the fields that every discovery file has. */
  readonly fields?: readonly ("ppid" | "ideName")[];
}

/**
 * Every agent that the kit checks companions for. Checks, discovery folders, help and report read this table; no other
 * code names an agent. Nothing here comes from a companion's code: the sources are the published specifications and the
 * traffic of the CLIs.
 */
export const agents: Readonly<Record<AgentName, Agent<FileKind>>> = {
  gemini: {
    title: "Gemini CLI",
    protocolVersion: "2025-06-18",
    clientVersion: "0.61.0",
    variablePrefix: "GEMINI_CLI_IDE_",
    hasTerminalSecrets: true,
    readsJsonText: true,
    files: [
      {
        kind: "gemini-file",
        path: "<tmp>/gemini/ide/gemini-ide-server-<pid>-<port>.json",
        requirement: "D1",
      },
      { kind: "gemini-older-file", path: "<tmp>/gemini/ide/gemini-ide-server-<pid>.json" },
    ],
  },
  qwen: {
    title: "Qwen Code",
    protocolVersion: "2025-11-25",
    clientVersion: "1.0.0",
    variablePrefix: "QWEN_CODE_IDE_",
    hasTerminalSecrets: false,
    readsJsonText: false,
    home: { variable: "QWEN_HOME", folder: ".qwen" },
    files: [
      { kind: "qwen-lock", path: "<home>/ide/<port>.lock", requirement: "D3", fields: ["ppid", "ideName"] },
      {
        kind: "qwen-file",
        path: "<tmp>/qwen/ide/qwen-code-ide-server-<pid>-<port>.json",
        requirement: "D2",
      },
      // The number is a process id in some versions and a port in others.
      { kind: "qwen-older-file", path: "<tmp>/qwen-code-ide-server-<number>.json" },
    ],
  },
};

export function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(agents, name);
}

/** The names of all of them, in the order of the table. */
export const agentNames: readonly AgentName[] = Object.keys(agents).filter(isAgentName);

/** What `--agent` may name: the agents of the table, those whose contract is another one, and the hooks of all. */
export const agentChoices: readonly string[] = [
  ...agentNames,
  "claude-code",
  "codex-cli",
  "copilot-cli",
  "hooks",
];

/** The agent that is meant where none is named. */
export const [defaultAgent = "gemini"] = agentNames;

/** Variables that name agents' own folders. */
export const homeVariables: readonly string[] = agentNames.flatMap(
  (name) => agents[name].home?.variable ?? [],
);
