import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { version } from "../../version.ts";
import type { EditorLink } from "./editor-link.ts";
import { editorTools, type ToolParts } from "./editor-tools.ts";

/** How often somebody who waits for a decision hears so, in milliseconds: opencode documents that it gives up after 5 s. */
const progressInterval = 2000;

/** What the user looks at, as resources. */
const resources = [
  {
    uri: "ide://context",
    name: "context",
    title: "What the user is looking at",
    mimeType: "application/json",
    read: ({ context }: EditorLink) => JSON.stringify(context),
  },
  {
    uri: "ide://selection",
    name: "selection",
    title: "The text that the user has selected",
    mimeType: "text/plain",
    read: ({ context }: EditorLink) =>
      context.workspaceState?.openFiles?.find(({ isActive }) => isActive)?.selectedText ?? "",
  },
] as const;

const instructions =
  "The user's editor: what it shows, and a way to have changes reviewed in it. Use openDiff for a change that the user " +
  "should see before it is made.";

/**
 * An MCP server by which any agent reaches the user's editor.
 * @param listens whether the protocol follows resources, and wants to hear of all
 */
export function createToolServer(parts: ToolParts, listens: boolean): McpServer {
  const capabilities = { tools: { listChanged: false }, resources: { listChanged: false, subscribe: true } };
  const server = new McpServer(
    { name: "ide-companion", title: "Editor", version },
    { capabilities, instructions },
  );
  serveTools(server, parts);
  serveResources(server, parts.link, listens);
  return server;
}

function serveTools(server: McpServer, parts: ToolParts): void {
  for (const [name, { title, description, input, readOnly, run }] of Object.entries(editorTools)) {
    const annotations = { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false };
    const tool = { title, description, inputSchema: input, annotations };
    server.registerTool(name, tool, async (given, context) => {
      const stopReporting = tellProgress(context);
      try {
        const answer = await run(given, parts, context.mcpReq.signal);
        return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
      } finally {
        stopReporting();
      }
    });
  }
}

/** Some agents give a call up that is silent for a minute; a decision may take longer. */
function tellProgress({ mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: "Waiting for the user" };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {
      // The agent has gone: the call ends.
    });
  }, progressInterval);
  return () => clearInterval(timer);
}

function serveResources(mcp: McpServer, link: EditorLink, listens: boolean): void {
  const { server } = mcp;
  const subscribed = new Set<string>();
  for (const { uri, name, title, mimeType, read } of resources)
    mcp.registerResource(name, uri, { title, mimeType }, () => ({
      contents: [{ uri, mimeType, text: read(link) }],
    }));
  const last = new Map<string, string>(resources.map(({ uri, read }) => [uri, read(link)]));
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (!last.has(uri))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource not found: ${uri}`);
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  link.onContext(() => {
    for (const { uri, read } of resources) {
      const text = read(link);
      if (last.get(uri) === text) continue;
      last.set(uri, text);
      if (!listens && !subscribed.has(uri)) continue;
      server.sendResourceUpdated({ uri }).catch(() => {
        // The agent has gone, and we go with it.
      });
    }
  });
}
