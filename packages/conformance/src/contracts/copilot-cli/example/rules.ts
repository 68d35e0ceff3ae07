import { writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { pathToFileURL } from "node:url";
import type { Decision, Place } from "../../../example/editor.ts";
import { isAlive } from "../../../target/process.ts";
import { isJson, parseJson } from "../../../wire/json-rpc.ts";

/** What the example's editor shows, as `selection_changed` has it. */
export interface Shown {
  readonly filePath: string;
  readonly text: string;
  readonly start: Place;
  readonly end: Place;
}

/** What a lock file is made from. */
export interface LockFacts {
  readonly socketPath: string;
  readonly token: string;
  readonly folders: readonly string[];
}

/** What is wrong with a file, as `get_diagnostics` has it. */
export interface FileProblems {
  readonly uri: string;
  readonly filePath: string;
  readonly diagnostics: readonly object[];
}

/** How a diff ended, as its call is answered. */
export interface Ending {
  readonly decision: Decision | "closed-by-tool" | "stopped";
  readonly tab: string;
}

const texts = (...names: readonly string[]): object => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});

export const authorizationOf = (token: string): string => `Nonce ${token}`;

/** Everything in which companions may differ. A broken companion has one of these rules changed. */
export const goodRules = {
  /** Names of the lock files. */
  locks: (name: string): readonly string[] => [`${name}.lock`],
  lockContent: ({ socketPath, token, folders }: LockFacts): object => ({
    socketPath,
    scheme: process.platform === "win32" ? "pipe" : "unix",
    headers: { Authorization: authorizationOf(token) },
    pid: process.pid,
    ideName: "Example",
    timestamp: Date.now(),
    workspaceFolders: folders,
  }),
  lockMode: 0o600,
  folderMode: 0o700,
  /** Whether a folder that is opened comes into the lock file. */
  rewrites: true,
  rewrite: (path: string, text: string): void => writeFileSync(path, text),
  /** Milliseconds from the lock file until it listens; undefined when it listens first. */
  listensAfter: undefined as number | undefined,
  /** Removes lock files of others when it starts, by their contents. */
  sweeps(content: string): boolean {
    const lock = parseJson(content);
    return isJson(lock) && typeof lock.pid === "number" && !isAlive(lock.pid);
  },
  removes: true,
  /** Milliseconds from the end of the connections until the lock file is removed; undefined when it goes first. */
  removesAfter: undefined as number | undefined,

  socketFolderMode: 0o700,
  /** The status with which a request is refused. */
  refuse({ authorization, origin, host }: IncomingHttpHeaders, token: string): number | undefined {
    if (authorization !== authorizationOf(token)) return 401;
    return origin !== undefined || host !== "localhost" ? 403 : undefined;
  },
  /** Whether a character of a body may come in two pieces. */
  joinsPieces: true,
  /** The status for what is no message. */
  garbageStatus: 400,
  /** Bytes of a body. */
  longest: 64 * 1024 * 1024,
  /** Whether a new CLI makes it deaf for those before it. */
  newestOnly: false,

  /** The status for a request of the later protocol. */
  discoverStatus: 400,
  negotiate: (asked: string): string => asked,
  sessionId: (asked: string): string => asked,
  /** Whether a session that comes again replaces the first. */
  replaces: true,
  notificationStatus: 202,
  /** Milliseconds that a session outlasts its stream. */
  withoutStream: 3000,
  /** Whether DELETE ends the session. */
  leaves: true,
  /** The status for a request without a session. */
  missingSession: 400,
  tools: {
    open_diff: texts("original_file_path", "new_file_contents", "tab_name"),
    close_diff: texts("tab_name"),
    get_selection: texts(),
    get_diagnostics: texts("uri"),
    update_session_name: texts("name"),
  } as Readonly<Record<string, object>>,
  unknownMethod: { error: { code: -32601, message: "Method not found" } } as object,
  unknownTool: { error: { code: -32602, message: "Unknown tool" } } as object,
  wrongArguments: { error: { code: -32602, message: "An argument is missing" } } as object,
  named: { success: true } as object,

  /** Milliseconds after which an undecided diff is answered. */
  patience: undefined as number | undefined,
  /** What the call of a diff is answered with; undefined leaves it unanswered. */
  outcome({ decision, tab }: Ending): object | undefined {
    const decided = { success: true, tab_name: tab, message: `It was ${decision}` };
    if (decision === "stopped") return undefined;
    if (decision === "accepted") return { ...decided, result: "SAVED", trigger: "accepted_via_button" };
    const trigger = decision === "closed-by-tool" ? "closed_via_tool" : "rejected_via_button";
    return { ...decided, result: "REJECTED", trigger };
  },
  writesFile: false,
  /** What `close_diff` is answered with. */
  closed: (tab: string, wasOpen: boolean): object => ({
    success: true,
    already_closed: !wasOpen,
    tab_name: tab,
    message: "It is closed",
  }),
  /** Whether `close_diff` reaches the diffs of every CLI. */
  tabsAreShared: false,
  /** Whether a diff stays for ever when the connection of its call closes. */
  keepsDiffs: false,
  /** Why a diff cannot be shown. */
  objection: (_path: string, _text: string): string | undefined => undefined,

  selection: ({ filePath, text, start, end }: Shown): object => ({
    text,
    filePath,
    fileUrl: toUrl(filePath),
    selection: { start, end, isEmpty: text === "" },
  }),
  /** Whether a stream begins with the selection. */
  sendsAtOnce: true,
  /** Whether the selection of an open file is sent when nothing is selected. */
  sendsEmpty: true,
  /** Whether the selection of a file that is closed is replaced. */
  clears: true,
  /** Whether only the newest CLI gets the selection, and whether every CLI gets a reference. */
  selectionToNewest: false,
  mentionsAll: false,
  /** What `get_selection` is answered with. */
  selectionAnswer: (selection: object): object => ({ ...selection, current: true }),

  severity: "Error",
  diagnosticsOf: (file: FileProblems): object => file,
  /** Milliseconds. */
  diagnosticsDelay: 0,
};

export const toUrl = (path: string): string => pathToFileURL(path).href;

export type CopilotRules = typeof goodRules;
