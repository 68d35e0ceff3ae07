import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionScript } from "./installed.ts";

/**
 * An agent of no particular make that has `ide-companion mcp` among its MCP servers.
 * @param title what it calls itself
 * @param node the Node that runs the server
 */
export async function startMcpClient(sandbox: Sandbox, title = "Some Agent", node = process.execPath) {
  const client = new Client({ name: "some-agent", title, version: "1.0.0" });
  sandbox.own({ close: () => client.close() });
  const transport = new StdioClientTransport({
    command: node,
    args: [companionScript, "mcp"],
    cwd: sandbox.workspace,
    env: sandbox.env,
    stderr: "inherit",
  });
  await client.connect(transport);
  return {
    /** Calls one of its tools. @returns the structured answer @throws Error with what the tool says is wrong */
    async call(tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
      const { structuredContent, content, isError } = await client.callTool({ name: tool, arguments: input });
      if (isError) throw new Error(`${tool}: ${JSON.stringify(content)}`);
      return structuredContent;
    },
  };
}
