import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { Fault } from "../../../../testing/contract-tests.ts";
import type { Rules } from "../../example/rules.ts";
import { goodRules } from "../../example/rules.ts";

/** By the check that catches it. */
export const transportFaults: Readonly<Record<string, Fault<Rules>>> = {
  initialize: { rules: { capabilities: {} }, says: /no capability tools/ },
  endpoint: { rules: { endpoint: "/" }, says: /POST \/mcp was answered 404/ },
  "free-port": { rules: { port: 47_311 }, says: /EADDRINUSE/ },
  answers: {
    rules: { envelope: (id, body) => goodRules.envelope(typeof id === "string" ? 1 : id, body) },
    says: /the request's id is "a string", its answer's 1/,
  },
  ping: { rules: { ping: () => ({ result: { pong: true } }) }, says: /pong/ },
  "unknown-method": { rules: { unknownMethod: () => ({ result: {} }) }, says: /-32601 was expected/ },
  malformed: { rules: { garbageStatus: 500 }, says: /half a JSON was answered 500/ },
  initialized: {
    rules: { notificationStatus: 200 },
    says: /notifications\/initialized must be answered 202, got 200/,
  },
  stream: { rules: { streams: false }, says: /GET \/mcp was answered 405/ },
  "protocol-version": { rules: { negotiate: () => "2024-10-07" }, says: /Gemini CLI asks for 2025-06-18/ },
  "unknown-version": { rules: { negotiate: (asked) => asked }, says: /got "1999-01-01"/ },
  "version-header": { rules: { checksVersionHeader: false }, says: /must be answered 400, got 200/ },
  "unknown-session": { rules: { unknownSession: undefined }, says: /404 was expected, got 200/ },
  "missing-session": { rules: { missingSession: undefined }, says: /400 was expected, got 200/ },
  "several-clis": {
    // All sessions share one MCP server object.
    rules: { answers: (session, newest) => session === newest },
    says: /CLI 1 of 4, Gemini CLI, was not answered while the others were/,
  },
  "one-stream": {
    rules: { streamsFor: (open) => [...open] },
    says: /one ide\/diffRejected was expected.*1 and 1/,
  },
  "stream-reopens": { rules: { afterlife: 100 }, says: /GET \/mcp was answered 404/ },
  "stream-stays": { rules: { streamLife: 300 }, says: /the stream was ended after 0\.\d s/ },
  "keep-alive": { rules: { keepAlive: 1_000_000 }, says: /the CLIs give up/ },
  "coming-and-going": { rules: { maxSessions: 20, afterlife: 100_000 }, says: /initialize was answered 503/ },
  "large-request": { rules: { maxBody: 100_000 }, says: /was answered 413/ },
  "event-ids": { rules: { eventId: (outcomes) => String(outcomes) }, says: /events with the id 0/ },
  "events-endpoint": {
    rules: {
      admit: (request, ...rest) =>
        request.url === "/events" ? undefined : goodRules.admit(request, ...rest),
    },
    says: /without the token \/events must be answered 401, got 200/,
  },
  "events-context": {
    // As on the stream of /mcp.
    rules: {
      toEvent: (message) => ({
        ...goodRules.toEvent(message),
        params: { openFiles: [], ...message.params },
      }),
    },
    says: /no activeFile with the selection/,
  },
  "events-outcome": {
    rules: {
      toEvent: (message) => (message.method.startsWith("ide/diff") ? message : goodRules.toEvent(message)),
    },
    says: /no notifications\/ide\/diffRejected for .* came; there came .*ide\/diffRejected/,
  },
  health: {
    rules: { health: (secrets) => ({ status: "ok", ...secrets }) },
    says: /of the open folders and tokens/,
  },
  "later-protocol": { rules: { laterProtocol: 500 }, says: /server\/discover was answered 500/ },
};

/** By the check that catches it. */
export const securityFaults: Readonly<Record<string, Fault<Rules>>> = {
  "token-always": {
    // Takes the session id for proof enough.
    rules: {
      admit: (request, ...rest) =>
        request.method === "GET" && request.headers["mcp-session-id"] !== undefined
          ? undefined
          : goodRules.admit(request, ...rest),
    },
    says: /GET with no token was answered 200/,
  },
  "helpful-refusal": {
    rules: { unauthorized: "Unauthorized" },
    says: /a sentence was expected, got 401 "Unauthorized"/,
  },
  "browser-refused": {
    rules: {
      admit: (request, ...rest) => {
        delete request.headers.origin;
        return goodRules.admit(request, ...rest);
      },
    },
    says: /Origin: http:\/\/evil.example was answered 200/,
  },
  "foreign-host": {
    rules: {
      admit: (request, tokens, port, rules) =>
        goodRules.agentOf(request, tokens) ? undefined : goodRules.admit(request, tokens, port, rules),
    },
    says: /Host: evil.example was answered 200/,
  },
  "own-hosts": {
    rules: {
      admit: (request, tokens, port, rules) =>
        request.headers.host === `127.0.0.1:${port}`
          ? goodRules.admit(request, tokens, port, rules)
          : { status: 403, text: "only 127.0.0.1" },
    },
    says: /Host: host.docker.internal:\d+ was answered 403/,
  },
  "no-cors": {
    rules: { headers: { "access-control-allow-origin": "*" } },
    says: /OPTIONS was answered Access-Control-Allow-Origin: \*/,
  },
  "loopback-only": { rules: { host: "0.0.0.0" }, says: /can be reached at 127\.0\.0\.2/ },
  "path-tricks": {
    // The router knows fewer spellings than the server behind it.
    rules: {
      admit: (request, ...rest) => {
        if (request.url === "/mcp") return goodRules.admit(request, ...rest);
        request.url = "/health";
        return { status: 200, text: "welcome" };
      },
    },
    says: /\/\/mcp without the token was accepted/,
  },
  "body-limit": { rules: { maxBody: Number.POSITIVE_INFINITY }, says: /it read 32 MiB without an answer/ },
  "slow-senders": { rules: { oneAtATime: true }, says: /POST \/mcp got no answer/ },
  "refused-by-head": { rules: { bodyFirst: true }, says: /got no answer/ },
  "file-mode": { rules: { write: writeForAll }, says: /has the mode 0644, not 0600/ },
  "folder-mode": { rules: { prepareFolder: makeForAll }, says: /has the mode 0755, not 0700/ },
  "appears-whole": {
    rules: {
      write: (file, text) => {
        writeFileSync(file, text);
        chmodSync(file, 0o600);
      },
    },
    says: /gemini-ide-server-.* was written or changed in place/,
  },
  "linked-folder": {
    rules: { prepareFolder: makeTrustfully },
    says: /through a link at the folder of gemini-file it has written gemini-ide-server/,
  },
  "open-folder": {
    rules: { prepareFolder: makeTrustfully },
    says: /gemini\/ide is still open to other users/,
  },
  "long-token": { rules: { newToken: () => "abcdefgh12" }, says: /has 10 characters/ },
  "new-token": {
    rules: { newToken: () => "always-the-same-token-of-forty-characters" },
    says: /the same token/,
  },
  "quiet-refusal": {
    rules: {
      admit: (request, ...rest) => {
        const refusal = goodRules.admit(request, ...rest);
        return refusal && { ...refusal, text: `${request.headers.authorization} is not the token` };
      },
    },
    says: /what was answered to the beginning of the token holds a part of it/,
  },
};

function writeForAll(file: string, text: string): void {
  goodRules.write(file, text);
  chmodSync(file, 0o644);
}

function makeForAll(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return true;
}

/** Does not check what is there already. */
function makeTrustfully(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return true;
}
