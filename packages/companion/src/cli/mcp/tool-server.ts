import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { messageOf } from "../../system/error-message.ts";
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
export function createToolServer(parts: ToolParts, listens: boolean): Server {
  const capabilities = { tools: {}, resources: { subscribe: true } };
  const server = new Server(
    { name: "ide-companion", title: "Editor", version },
    { capabilities, instructions },
  );
  serveTools(server, parts);
  serveResources(server, parts.link, listens);
  return server;
}

function serveTools(server: Server, parts: ToolParts): void {
  server.setRequestHandler("tools/list", async () => ({
    tools: Object.entries(editorTools).map(([name, { title, description, inputSchema, readOnly }]) => {
      const annotations = { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false };
      return { name, title, description, inputSchema, annotations };
    }),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = editorTools[params.name];
    if (!tool) {
      const known = Object.keys(editorTools).join(", ");
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `unknown tool ${params.name}: there are ${known}`,
      );
    }
    const stopReporting = tellProgress(context);
    try {
      const answer = await tool.run(params.arguments ?? {}, parts, context.mcpReq.signal);
      return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: { ...answer } };
    } catch (error) {
      const text = messageOf(error);
      return { content: [{ type: "text", text }], isError: true };
    } finally {
      stopReporting();
    }
  });
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

function serveResources(server: Server, link: EditorLink, listens: boolean): void {
  const subscribed = new Set<string>();
  server.setRequestHandler("resources/list", async () => ({
    resources: resources.map(({ read: _, ...resource }) => resource),
  }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const { mimeType, read } = findResource(uri);
    return { contents: [{ uri, mimeType, text: read(link) }] };
  });
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    subscribed.add(findResource(uri).uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  const last = new Map<string, string>(resources.map(({ uri, read }) => [uri, read(link)]));
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

function findResource(uri: string): (typeof resources)[number] {
  const found = resources.find((resource) => resource.uri === uri);
  if (found) return found;
  const known = resources.map((resource) => resource.uri).join(", ");
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown resource ${uri}: there are ${known}`);
}
