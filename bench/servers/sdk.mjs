import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { serveCommands } from "./commands.mjs";
import { filesIn, toIdeContext } from "./context.mjs";

/**
 * A minimal companion on the MCP SDK, as its documentation suggests: one server and one transport per
 * session. A session ends when its client sends DELETE, which no agent CLI does.
 */
const authorization = `Bearer ${process.env.BENCH_TOKEN}`;
const files = filesIn(process.env.BENCH_FOLDER);
const sessions = new Map();

const OpenDiffInput = z.object({ filePath: z.string(), newContent: z.string() });
const CloseDiffInput = z.object({ filePath: z.string(), suppressNotification: z.boolean().optional() });
const inputs = { openDiff: OpenDiffInput, closeDiff: CloseDiffInput };
const tools = Object.entries(inputs).map(([name, input]) => ({ name, inputSchema: z.toJSONSchema(input) }));

function createMcpServer() {
  const server = new Server({ name: "sdk", version: "1.0.0" }, { capabilities: { tools: {} } });
  const diffs = new Map();
  server.setRequestHandler("tools/list", async () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const { filePath, newContent } = inputs[params.name].parse(params.arguments);
    if (params.name === "openDiff") {
      diffs.set(filePath, newContent);
      return { content: [] };
    }
    const text = diffs.get(filePath) ?? "";
    diffs.delete(filePath);
    return { content: [{ type: "text", text: JSON.stringify({ content: text }) }] };
  });
  return server;
}

async function openSession() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    maxRequestBodySize: 64 * 1024 * 1024,
    onsessioninitialized: (id) => {
      sessions.set(id, { server, transport });
    },
  });
  const server = createMcpServer();
  await server.connect(transport);
  return transport;
}

const http = createServer(async (request, response) => {
  if (request.headers.authorization !== authorization) return response.writeHead(401).end();
  const known = sessions.get(request.headers["mcp-session-id"]);
  const transport = known?.transport ?? (await openSession());
  await transport.handleRequest(request, response);
});
http.keepAliveTimeout = 120_000;

function publish(snapshot) {
  const params = toIdeContext(files, snapshot);
  for (const { server } of sessions.values()) {
    void server.notification({ method: "ide/contextUpdate", params });
  }
}

http.listen(0, "127.0.0.1", () => {
  serveCommands({ port: http.address().port, publish, sessions: () => sessions.size });
});
