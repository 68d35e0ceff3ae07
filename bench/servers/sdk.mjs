import { randomUUID } from "node:crypto";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { createTools, serveMinimally } from "./minimal.mjs";

/**
 * A minimal companion on the MCP SDK, as its documentation suggests: one server and one transport per
 * session. A session ends when its client sends DELETE, which no agent CLI does.
 */
const sessions = new Map();

const OpenDiffInput = z.object({ filePath: z.string(), newContent: z.string() });
const CloseDiffInput = z.object({ filePath: z.string(), suppressNotification: z.boolean().optional() });
const inputs = { openDiff: OpenDiffInput, closeDiff: CloseDiffInput };
const tools = Object.entries(inputs).map(([name, input]) => ({ name, inputSchema: z.toJSONSchema(input) }));

function createMcpServer() {
  const server = new Server({ name: "sdk", version: "1.0.0" }, { capabilities: { tools: {} } });
  const callTool = createTools();
  server.setRequestHandler("tools/list", async () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }) =>
    callTool(params.name, inputs[params.name].parse(params.arguments)),
  );
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

async function handle(request, response) {
  const known = sessions.get(request.headers["mcp-session-id"]);
  const transport = known?.transport ?? (await openSession());
  await transport.handleRequest(request, response);
}

function send(params) {
  for (const { server } of sessions.values()) {
    void server.notification({ method: "ide/contextUpdate", params });
  }
}

serveMinimally(handle, { send, sessions: () => sessions.size });
