import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { AgentCli, AgentKind } from "./agent-cli.ts";
import { companionScript } from "./installed.ts";

/** A CLI with our command among its MCP servers, and without IDE mode. */
export function withEditorTools(kind: AgentKind, sandbox: Sandbox): AgentKind {
  const server = {
    command: process.execPath,
    args: [companionScript, "mcp"],
    env: { TMPDIR: sandbox.tmp },
    trust: true,
  };
  const ide = { enabled: false, hasSeenNudge: true };
  return { ...kind, settings: { ...kind.settings, ide, mcpServers: { editor: server } } };
}

/**
 * How the CLI calls our tools when it talks to its model. It starts servers in its own time, and one CLI does not wait
 * for them before the first prompt.
 */
export async function editorToolNames({ model, say, terminal }: AgentCli): Promise<(name: string) => string> {
  let asked = 0;
  const prefix = await poll("our tools", async () => {
    asked += 1;
    model.plan({ text: `Answer ${asked} is over.` });
    await say(`Name your tools ${asked}`);
    await terminal.waitFor(`Answer ${asked} is over.`);
    return /\b(mcp_+editor_+)getSelection\b/.exec(model.requests.at(-1)?.body ?? "")?.[1];
  });
  return (name) => `${prefix}${name}`;
}
