import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { serveCommands } from "./commands.mjs";
import { filesIn, toIdeContext } from "./context.mjs";

/**
 * The floor: the minimal server on `node:http`. It authenticates, reads, parses, holds the text of a
 * diff and answers; contexts are serialised once and written to every stream.
 * No protocol, no checks.
 */
const authorization = `Bearer ${process.env.BENCH_TOKEN}`;
const files = filesIn(process.env.BENCH_FOLDER);
/** Open streams by session. */
const sessions = new Map();
/** The texts of open diffs by path. */
const diffs = new Map();

const http = createServer((request, response) => {
  if (request.headers.authorization !== authorization) return response.writeHead(401).end();
  if (request.method === "GET") return openStream(request, response);
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => answer(response, JSON.parse(Buffer.concat(chunks).toString("utf8"))));
});
http.keepAliveTimeout = 120_000;

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
  if (method === "tools/call") return callTool(params);
  if (method === "tools/list") return { tools: [] };
  const serverInfo = { name: "floor", version: "1.0.0" };
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function callTool({ name, arguments: { filePath, newContent } }) {
  if (name === "openDiff") {
    diffs.set(filePath, newContent);
    return { content: [] };
  }
  const content = diffs.get(filePath) ?? "";
  diffs.delete(filePath);
  return { content: [{ type: "text", text: JSON.stringify({ content }) }] };
}

function publish(snapshot) {
  const params = toIdeContext(files, snapshot);
  const frame = Buffer.from(
    `data: ${JSON.stringify({ jsonrpc: "2.0", method: "ide/contextUpdate", params })}\n\n`,
  );
  for (const stream of sessions.values()) stream.write(frame);
}

http.listen(0, "127.0.0.1", () => {
  serveCommands({ port: http.address().port, publish, sessions: () => sessions.size });
});
