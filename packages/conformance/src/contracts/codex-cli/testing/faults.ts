import type { Fault } from "../../../testing/contract-tests.ts";
import { type CodexRules, goodRules } from "../example/rules.ts";

const { activeFile } = goodRules;

/** A broken companion for every check, by the check's id. */
export const faults: Readonly<Record<string, Fault<CodexRules>>> = {
  reachable: { rules: { socketName: "other.sock" }, says: /ipc\.sock cannot be connected to/ },
  "safe-folder": { rules: { folderMode: 0o777 }, says: /has mode 777, and the CLI does not connect/ },
  "private-socket": { rules: { folderMode: 0o755 }, says: /the folder has mode 755, not 700/ },
  "former-socket": { rules: { servesFormer: false }, says: /codex-ipc.* cannot be connected to/ },
  "stale-socket": {
    rules: { sweepsStale: false },
    says: /with a dead socket in its place: no companion within/,
  },
  pieces: { rules: { readsPieces: false }, says: /no response within|closed without a response/ },
  garbage: { rules: { diesOfGarbage: true }, says: /closed without a response|cannot be connected to/ },
  answered: {
    rules: { context: () => ({}), speaks: () => false },
    says: /answered with .*request-version-mismatch/,
  },
  shape: {
    rules: { activeFile: (shown) => ({ ...activeFile(shown), selection: null }) },
    says: /selection is null/,
  },
  selection: {
    rules: {
      activeFile: (shown) => activeFile({ ...shown, start: { ...shown.start, line: shown.start.line + 1 } }),
    },
    says: /selection is \{"start":\{"line":2,"character":7\}/,
  },
  cursor: {
    rules: {
      activeFile: (shown) => activeFile({ ...shown, end: { line: shown.end.line + 1, character: 0 } }),
    },
    says: /not empty at \[\{"line":2,"character":2\}/,
  },
  tabs: { rules: { context: (file) => ({ activeFile: file, openTabs: [] }) }, says: /openTabs has \[\]/ },
  folders: { rules: { concerns: () => true }, says: /-2 the answer is success/ },
  "in-time": { rules: { delay: 900 }, says: /answers took .* ms, most more than 500/ },
  introduction: { rules: { answersInitialize: false }, says: /no response within/ },
  "other-version": { rules: { speaks: () => true }, says: /version 99 was answered with "success"/ },
  client: { rules: { concerns: () => true }, says: /canHandle is true for another folder/ },
  router: { rules: { routes: false }, says: /no-client-found/ },
  broadcast: { rules: { passesBroadcasts: false }, says: /2 of 2 clients have not received a broadcast/ },
  successor: { rules: { takesOver: false }, says: /after the owner has ended nobody answers/ },
  "socket-removed": { rules: { removes: false }, says: /after SIGTERM .*ipc\.sock is still there/ },
  "other-owner": { rules: { steals: true }, says: /cannot be connected to|took the socket/ },
};
