import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { messageOf } from "../../system/error-message.ts";
import { version } from "../../version.ts";
import { editorTools, type ToolParts } from "./editor-tools.ts";

/** How often somebody who waits for a decision hears so, in milliseconds: opencode documents that it gives up after 5 s. */
const progressInterval = 2000;

const instructions =
  "The user's editor: what it shows, and a way to have changes reviewed in it. Use openDiff for a change that the user " +
  "should see before it is made.";

/** An MCP server by which any agent reaches the user's editor. */
export function createToolServer(parts: ToolParts): Server {
  const server = new Server(
    { name: "ide-companion", title: "Editor", version },
    { capabilities: { tools: {} }, instructions },
  );
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
  return server;
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
