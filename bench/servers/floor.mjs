import { randomUUID } from "node:crypto";
import { createTools, serveMinimally } from "./minimal.mjs";

/**
 * The floor: the minimal server on `node:http`. It authenticates, reads, parses, holds the text of a
 * diff and answers; contexts are serialised once and written to every stream.
 * No protocol, no checks.
 */
const callTool = createTools();
/** Open streams by session. */
const sessions = new Map();

function handle(request, response) {
  if (request.method === "GET") return openStream(request, response);
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => answer(response, JSON.parse(Buffer.concat(chunks).toString("utf8"))));
}

function openStream(request, response) {
  const id = request.headers["mcp-session-id"];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  sessions.set(id, response);
  response.on("close", () => sessions.delete(id));
}

function answer(response, { id, method, params }) {
  if (id === undefined) return response.writeHead(202).end();
  const body = JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  if (method === "initialize") headers["mcp-session-id"] = randomUUID();
  response.writeHead(200, headers).end(body);
}

function resultOf(method, params) {
  if (method === "tools/call") return callTool(params.name, params.arguments);
  if (method === "tools/list") return { tools: [] };
  const serverInfo = { name: "floor", version: "1.0.0" };
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function send(params) {
  const message = JSON.stringify({ jsonrpc: "2.0", method: "ide/contextUpdate", params });
  const frame = Buffer.from(`data: ${message}\n\n`);
  for (const stream of sessions.values()) stream.write(frame);
}

serveMinimally(handle, { send, sessions: () => sessions.size });
