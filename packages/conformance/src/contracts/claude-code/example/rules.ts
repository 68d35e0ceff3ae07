import type { IncomingHttpHeaders } from "node:http";
import type { Decision, Place } from "../../../example/editor.ts";

/** What the example's editor shows, as `selection_changed` has it. */
export interface Shown {
  readonly filePath: string;
  readonly text: string;
  readonly start: Place;
  readonly end: Place;
}

/** What an upgrade is decided by. */
export interface UpgradeHead {
  readonly headers: IncomingHttpHeaders;
  readonly port: number;
  readonly token: string;
  /** How many sockets there have been. */
  readonly before: number;
}

const hosts = ["127.0.0.1", "localhost", "[::1]", "host.docker.internal"];

export const isForeign = ({ headers: { host = "" }, port }: UpgradeHead): boolean =>
  !hosts.some((name) => host === `${name}:${port}`);

export const hasToken = ({ headers, token }: UpgradeHead): boolean =>
  headers["x-claude-code-ide-authorization"] === token;

/** Everything in which companions may differ. A broken companion has one of these rules changed. */
export const goodRules = {
  /** Names of the lock files. */
  locks: (port: number): readonly string[] => [`${port}.lock`],
  lockContent: (folders: readonly string[], token: string): object => ({
    pid: process.pid,
    workspaceFolders: folders,
    ideName: "Example",
    transport: "ws",
    authToken: token,
    runningInWindows: false,
  }),
  lockMode: 0o600,
  folderMode: 0o700,
  /** Whether a folder that is opened comes into the lock file. */
  rewrites: true,
  environment: (port: number): Readonly<Record<string, string>> => ({ CLAUDE_CODE_SSE_PORT: String(port) }),
  /** Removes lock files of others when it starts, by their contents. */
  sweeps: (_content: string): boolean => false,
  removes: true,
  /** Whether the next start has the same port and token. */
  keepsAddress: true,

  /** The status with which an upgrade is refused. */
  refuse(head: UpgradeHead): number | undefined {
    if (!hasToken(head)) return 401;
    return head.headers.origin !== undefined || isForeign(head) ? 403 : undefined;
  },
  subprotocol: "mcp" as string | undefined,
  /** Whether a new CLI throws out those before it. */
  evicts: false,
  /** Whether what is no JSON ends all that there is. */
  diesOfGarbage: false,

  negotiate: (asked: string) => asked,
  tools: ["openDiff", "close_tab", "closeAllDiffTabs", "getDiagnostics"] as readonly string[],
  unknownMethod: { error: { code: -32601, message: "Method not found" } } as object,
  unknownTool: { error: { code: -32602, message: "Unknown tool" } } as object,
  answersNotifications: false,

  answersAtOnce: false,
  /** The texts of the answer. */
  outcome: (decision: Decision, text: string, _proposed: string): readonly string[] =>
    decision === "accepted" ? ["FILE_SAVED", text] : ["DIFF_REJECTED"],
  writesFile: false,
  /** What `close_tab` is answered with. */
  tabClosed: (_wasOpen: boolean) => "TAB_CLOSED",
  /** What the question that `close_tab` ends is answered with. */
  undecided: ["DIFF_REJECTED"] as readonly string[],
  /** Whether `closeAllDiffTabs`, or `close_tab`, reaches the diffs of every CLI. */
  sweepsAll: false,
  tabsAreShared: false,
  /** Whether the diffs of a CLI that is gone stay. */
  keepsDiffs: false,
  answersTwice: false,
  /** Why a diff cannot be shown. */
  objection: (_path: string, _text: string): string | undefined => undefined,

  selection: ({ filePath, text, start, end }: Shown): object => ({
    filePath,
    text,
    fileUrl: `file://${filePath}`,
    selection: { start, end, isEmpty: text === "" },
  }),
  cleared: { text: "", selection: emptySelection() } as object | undefined,
  /** Milliseconds after a list. */
  resends: [300, 1500] as readonly number[],
  /** Whether only the newest CLI gets the selection. */
  newestOnly: false,
  /** Whether every CLI gets a mention. */
  mentionsAll: false,

  diagnosticsText: (list: object) => JSON.stringify(list),
  /** Milliseconds. */
  diagnosticsDelay: 0,
  toUri: (path: string) => `file://${path}`,
};

function emptySelection(): object {
  const start = { line: 0, character: 0 };
  return { start, end: start, isEmpty: true };
}

export type ClaudeRules = typeof goodRules;
