import { goodRules } from "../../example/rules.ts";
import type { Fault } from "./fault.ts";

/** By the check that catches it. */
export const transportFaults: Readonly<Record<string, Fault>> = {
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
