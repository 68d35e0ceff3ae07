import { existsSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Fault } from "../../../testing/contract-tests.ts";
import { authorizationOf, type CopilotRules, type Ending, goodRules } from "../example/rules.ts";

const { lockContent, refuse, outcome, selection, tools, closed } = goodRules;

/** Another answer for one way in which a diff ends. */
const insteadOf =
  (decision: Ending["decision"], change: object): CopilotRules["outcome"] =>
  (ending) => {
    const good = outcome(ending);
    return ending.decision === decision ? { ...good, ...change } : good;
  };

/** A broken companion for every check, by the check's id. */
export const faults: Readonly<Record<string, Fault<CopilotRules>>> = {
  "lock-fields": {
    rules: { lockContent: (facts) => ({ ...lockContent(facts), timestamp: "today" }) },
    says: /^timestamp is "today"$/,
  },
  "lock-mode": { rules: { lockMode: 0o644 }, says: /the lock file has mode 644, not 600/ },
  "lock-process": {
    rules: { lockContent: (facts) => ({ ...lockContent(facts), pid: 99_999_999 }) },
    says: /pid 99999999 is no process that runs/,
  },
  "lock-folders": {
    rules: {
      lockContent: ({ folders: [first, ...others], ...facts }) =>
        lockContent({ ...facts, folders: [`${first}/.`, ...others] }),
    },
    says: /work is not one of \[".*\/work\/\."\]/,
  },
  "listens-first": { rules: { listensAfter: 700 }, says: /nobody listened on its socket/ },
  "one-lock": { rules: { locks: (name) => [`${name}.lock`, "another.lock"] }, says: /there are 2: / },
  "folder-opened": { rules: { rewrites: false }, says: /the lock file does not name .*another/ },
  "lock-in-place": {
    rules: {
      rewrite(path, text) {
        writeFileSync(`${path}.new`, text);
        renameSync(`${path}.new`, path);
      },
    },
    says: /when a folder was opened, another file took the place of .*\.lock/,
  },
  "socket-path": {
    rules: { lockContent: (facts) => ({ ...lockContent(facts), scheme: "http" }) },
    says: /scheme is "http", not "unix"/,
  },
  "private-socket": { rules: { socketFolderMode: 0o755 }, says: /has mode 755, not 700/ },
  "wrong-header": {
    rules: {
      refuse: ({ authorization = "", ...headers }, token) =>
        authorization.length === authorizationOf(token).length
          ? refuse({ ...headers, authorization: authorizationOf(token) }, token)
          : 401,
    },
    says: /^with another header a request was answered 400, not 401$/,
  },
  "web-page": {
    rules: { refuse: ({ origin: _, ...headers }, token) => refuse(headers, token) },
    says: /with the Origin https:\/\/example\.com a request was answered 200/,
  },
  "foreign-host": {
    rules: { refuse: (headers, token) => refuse({ ...headers, host: "localhost" }, token) },
    says: /with the Host example\.com a request was answered 200/,
  },
  pieces: { rules: { joinsPieces: false }, says: /tools\/list in three chunks was answered/ },
  garbage: { rules: { garbageStatus: 500 }, says: /"\{" was answered 500/ },
  "body-limit": { rules: { longest: Number.POSITIVE_INFINITY }, says: /it read 32 MiB without an answer/ },
  "several-clis": { rules: { newestOnly: true }, says: /got no answer within/ },
  "later-protocol": { rules: { discoverStatus: 401 }, says: /server\/discover was answered 401/ },
  initialize: {
    rules: { negotiate: () => "2024-11-05" },
    says: /asked for 2025-11-25, it answered 2024-11-05/,
  },
  "session-id": {
    rules: { sessionId: (asked) => `${asked}-own` },
    says: /X-Copilot-Session-Id was (.*), and Mcp-Session-Id is \1-own/,
  },
  "same-session": { rules: { replaces: false }, says: /initialize was answered 409/ },
  initialized: { rules: { notificationStatus: 200 }, says: /it was answered 200/ },
  "stream-reopens": { rules: { withoutStream: 100 }, says: /GET \/mcp was answered 404/ },
  "lost-stream": { rules: { withoutStream: 60_000 }, says: /still shown though its stream stays away/ },
  goodbye: { rules: { leaves: false }, says: /after DELETE a request was answered 200, not 404/ },
  "unknown-session": {
    rules: { missingSession: 404 },
    says: /without a session a request was answered 404, not 400/,
  },
  "tool-list": {
    rules: { tools: { ...tools, close_diff: { type: "object" } } },
    says: /^close_diff does not list the text tab_name$/,
  },
  "plain-requests": { rules: { unknownMethod: { result: {} } }, says: /with the code none, not -32601/ },
  "unknown-tool": {
    rules: { unknownTool: { result: { content: [] } } },
    says: /answered as if it had worked/,
  },
  "session-name": { rules: { named: {} }, says: /it was answered \{\}/ },
  waits: { rules: { patience: 900 }, says: /before the user has decided: answered .*REJECTED/ },
  accepted: {
    rules: { outcome: insteadOf("accepted", { result: "KEPT" }) },
    says: /the result is "KEPT", not "SAVED"/,
  },
  rejected: {
    rules: { outcome: insteadOf("rejected", { result: "SAVED" }) },
    says: /the result is "SAVED", not "REJECTED"/,
  },
  "answer-form": {
    rules: { outcome: (ending) => ({ ...outcome(ending), trigger: undefined }) },
    says: /^trigger is undefined$/,
  },
  "file-untouched": { rules: { writesFile: true }, says: /the file has changed/ },
  "diff-closed": {
    rules: { closed: (tab) => closed(tab, true) },
    says: /"already_closed":false.*, not with already_closed true/,
  },
  "closed-is-answered": {
    rules: { outcome: insteadOf("closed-by-tool", { result: "SAVED" }) },
    says: /the result is "SAVED", not "REJECTED"/,
  },
  "closed-view": {
    rules: { outcome: insteadOf("closed", { result: "SAVED" }) },
    says: /the result is "SAVED"/,
  },
  "same-tab": { rules: { tabsAreShared: true }, says: /after close_diff of another CLI: answered/ },
  killed: { rules: { keepsDiffs: true }, says: /still shown after its CLI was killed/ },
  "new-file": {
    rules: { objection: (path) => (existsSync(dirname(path)) ? undefined : "no such folder") },
    says: /is not shown; answered .*no such folder/,
  },
  "large-proposal": {
    rules: { objection: (_, text) => (text.length > 1_000_000 ? "too large" : undefined) },
    says: /answered .*too large/,
  },
  "wrong-arguments": {
    rules: { wrongArguments: { result: { content: [{ type: "text", text: "{}" }] } } },
    says: /answered as if there were a diff/,
  },
  selection: {
    rules: {
      selection: ({ start, end, ...rest }) =>
        selection({
          ...rest,
          start: { ...start, line: start.line + 1 },
          end: { ...end, line: end.line + 1 },
        }),
    },
    says: /start is \{"line":2,"character":7\}, not line 1, character 7/,
  },
  "sent-at-once": { rules: { sendsAtOnce: false }, says: /no such selection_changed within/ },
  deselected: { rules: { sendsEmpty: false }, says: /no such selection_changed within/ },
  cleared: { rules: { clears: false }, says: /no such selection_changed within/ },
  "every-cli": { rules: { selectionToNewest: true }, says: /no such selection_changed within/ },
  mention: { rules: { mentionsAll: true }, says: /add_file_reference went to 2 CLIs/ },
  "get-selection": {
    rules: { selectionAnswer: (shown) => shown },
    says: /^current is undefined$/,
  },
  "diagnostics-list": {
    rules: { diagnosticsOf: ({ filePath: _, ...file }) => file },
    says: /filePath is undefined/,
  },
  severities: { rules: { severity: "error" }, says: /severity is "error"/ },
  "diagnostics-time": { rules: { diagnosticsDelay: 1500 }, says: /the answer took \d+ ms, more than 500/ },
  "lock-removed": { rules: { removes: false }, says: /after SIGTERM .*\.lock is still there/ },
  "lock-first": { rules: { removesAfter: 500 }, says: /when the stream ended .*\.lock was still there/ },
  "stops-undecided": {
    rules: {
      outcome: (ending) =>
        outcome(ending.decision === "stopped" ? { ...ending, decision: "rejected" } : ending),
    },
    says: /open_diff was answered .*REJECTED/,
  },
  "dead-lock": { rules: { sweeps: () => false }, says: /of the dead process \d+ is still there/ },
  "other-locks": {
    rules: { sweeps: (content) => !content.includes('"Example"') },
    says: /when it started, .*other\.lock was removed/,
  },
};
