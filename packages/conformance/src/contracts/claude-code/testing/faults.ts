import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Fault } from "../../../testing/contract-tests.ts";
import { type ClaudeRules, goodRules, hasToken, isForeign } from "../example/rules.ts";

const { lockContent, outcome, selection } = goodRules;

/** A broken companion for every check, by the check's id. */
export const faults: Readonly<Record<string, Fault<ClaudeRules>>> = {
  "lock-fields": {
    rules: { lockContent: (folders, token) => ({ ...lockContent(folders, token), transport: "sse" }) },
    says: /transport is "sse", not "ws"/,
  },
  "lock-mode": { rules: { lockMode: 0o644 }, says: /the lock file has mode 644, not 600/ },
  "lock-process": {
    rules: { lockContent: (folders, token) => ({ ...lockContent(folders, token), pid: 99_999_999 }) },
    says: /pid 99999999 is no process that runs/,
  },
  "lock-folders": {
    rules: {
      lockContent: (folders, token) =>
        lockContent(
          folders.map((folder) => `${folder}/.`),
          token,
        ),
    },
    says: /work is not one of \[".*\/work\/\."\]/,
  },
  "one-lock": { rules: { locks: (port) => [`${port}.lock`, "1.lock"] }, says: /there are 2: / },
  "folder-opened": { rules: { rewrites: false }, says: /the lock file does not name .*another/ },
  "terminal-port": { rules: { environment: () => ({}) }, says: /CLAUDE_CODE_SSE_PORT is absent/ },
  handshake: { rules: { subprotocol: undefined }, says: /the subprotocol mcp was not echoed, got none/ },
  "wrong-token": { rules: { refuse: () => undefined }, says: /with none token the upgrade was answered 101/ },
  "web-page": {
    rules: { refuse: (head) => (hasToken(head) && !isForeign(head) ? undefined : 401) },
    says: /with the Origin https:\/\/example\.com the upgrade was answered 101/,
  },
  "foreign-host": {
    rules: { refuse: (head) => (hasToken(head) ? undefined : 401) },
    says: /with the Host example\.com:\d+ the upgrade was answered 101/,
  },
  "several-clis": { rules: { evicts: true }, says: /was not answered within/ },
  garbage: { rules: { diesOfGarbage: true }, says: /tools\/list was not answered within/ },
  initialize: {
    rules: { negotiate: () => "2024-11-05" },
    says: /asked for 2025-11-25, it answered 2024-11-05/,
  },
  "tool-list": { rules: { tools: ["openDiff"] }, says: /close_tab is not listed; closeAllDiffTabs/ },
  "plain-requests": { rules: { unknownMethod: { result: {} } }, says: /with the code none, not -32601/ },
  "unknown-tool": {
    rules: { unknownTool: { result: { content: [] } } },
    says: /answered as if it had worked/,
  },
  "no-answers": { rules: { answersNotifications: true }, says: /which answers nothing/ },
  waits: { rules: { answersAtOnce: true }, says: /before the user has decided it was answered/ },
  accepted: {
    rules: { outcome: (decision, _, proposed) => outcome(decision, proposed, proposed) },
    says: /the second text is "one\\n2\\n", not the user's/,
  },
  rejected: {
    rules: {
      outcome: (decision, text, proposed) =>
        decision === "rejected" ? ["TAB_CLOSED"] : outcome(decision, text, proposed),
    },
    says: /the answer is "TAB_CLOSED"/,
  },
  "closed-view": {
    rules: {
      outcome: (decision, text, proposed) =>
        decision === "closed" ? ["TAB_CLOSED"] : outcome(decision, text, proposed),
    },
    says: /the answer is "TAB_CLOSED"/,
  },
  "file-untouched": { rules: { writesFile: true }, says: /the file has changed/ },
  "tab-closed": {
    rules: { tabClosed: (wasOpen) => (wasOpen ? "TAB_CLOSED" : "NO_SUCH_TAB") },
    says: /close_tab was answered "NO_SUCH_TAB"/,
  },
  "closed-is-undecided": {
    rules: { undecided: ["FILE_SAVED", "one\n2\n"] },
    says: /openDiff was then answered "FILE_SAVED"/,
  },
  "own-tabs-only": { rules: { sweepsAll: true }, says: /it was answered "CLOSED_2_DIFF_TABS"/ },
  "same-tab": {
    rules: { tabsAreShared: true },
    says: /after close_tab of another CLI the question was answered/,
  },
  "lost-socket": { rules: { keepsDiffs: true }, says: /still shown after its socket has closed/ },
  "answered-once": { rules: { answersTwice: true }, says: /openDiff was answered 2 times/ },
  "line-ends": {
    rules: { outcome: (decision, text, proposed) => outcome(decision, `${text.trimEnd()}\n`, proposed) },
    says: /for open\.txt "one\\n2" came back as "one\\n2\\n"/,
  },
  "new-file": {
    rules: { objection: (path) => (existsSync(dirname(path)) ? undefined : "no such folder") },
    says: /is not shown; answered .*no such folder/,
  },
  "large-proposal": {
    rules: { objection: (_, text) => (text.length > 1_000_000 ? "too large" : undefined) },
    says: /answered .*too large/,
  },
  focus: {
    rules: { selection: (shown) => selection({ ...shown, text: shown.text || "a word" }) },
    says: /text is "a word", not empty/,
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
  "sent-again": { rules: { resends: [0] }, says: /after a handshake the selection does not come again/ },
  cleared: { rules: { cleared: undefined }, says: /no such selection_changed within/ },
  "every-cli": { rules: { newestOnly: true, resends: [] }, says: /no such selection_changed within/ },
  mention: { rules: { mentionsAll: true }, says: /at_mentioned went to 2 CLIs/ },
  "diagnostics-list": { rules: { diagnosticsText: () => "none" }, says: /the text is no list: none/ },
  "diagnostics-time": { rules: { diagnosticsDelay: 1500 }, says: /the answer took \d+ ms, more than 500/ },
  "diagnostics-form": {
    rules: { toUri: (path) => new URL(`file://${encodeURI(path)}`).href },
    says: /uri is ".*%20.*", not /,
  },
  "lock-removed": { rules: { removes: false }, says: /after SIGTERM .*\.lock is still there/ },
  "other-locks": {
    rules: { sweeps: (content) => !content.includes('"Example"') },
    says: /when it started, .* of a running process was removed/,
  },
  "same-address": { rules: { keepsAddress: false }, says: /the token is another one/ },
  reconnect: {
    rules: { refuse: ({ before }) => (before > 3 ? 503 : undefined) },
    says: /the upgrade with the token was answered 503/,
  },
};
