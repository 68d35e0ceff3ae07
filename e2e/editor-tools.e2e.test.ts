import { expect } from "vitest";
import { type AgentCli, type AgentKind, startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { startCompanion } from "./harness/companion.ts";
import { poll } from "./harness/deadline.ts";
import { gemini } from "./harness/gemini.ts";
import { companionScript } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import type { World } from "./harness/world.ts";

for (const kind of [gemini, qwen]) {
  chain(
    `${kind.displayName} without IDE mode uses the editor by its tools, registered as an MCP server`,
    async (world) => {
      const path = await world.write("poem.txt", "roses\nviolets\n");
      const companion = await startCompanion(world);
      const [page, cli] = await Promise.all([
        openReviewPage(world, companion.link),
        startAgent(world, withServer(kind, world)),
      ]);
      await page.openFile("poem.txt");
      await page.select("violets");
      const tool = await toolNames(cli);

      cli.model.plan(
        { call: tool("getSelection"), args: {} },
        { call: tool("openDiff"), args: { filePath: path, newContent: "roses\ntulips\n", write: true } },
        { call: tool("openFile"), args: { filePath: path, line: 2 } },
        { text: "All is well." },
      );
      await cli.say("Use the editor");
      const proposal = await page.proposal("poem.txt");
      await proposal.edit("tulips", "lilies");
      await proposal.accept();
      await cli.terminal.waitFor("All is well.");
      expect(String(await world.read("poem.txt"))).toBe("roses\nlilies\n");
      const told = cli.model.requests.at(-1)?.body ?? "";
      expect(told).toContain("violets");
      expect(told).toContain("roses\\\\nlilies\\\\n");
    },
  );
}

/** The CLI with our command among its MCP servers, and without IDE mode. */
function withServer(kind: AgentKind, world: World): AgentKind {
  const server = {
    command: process.execPath,
    args: [companionScript, "mcp"],
    env: { TMPDIR: world.tmp },
    trust: true,
  };
  const ide = { enabled: false, hasSeenNudge: true };
  return { ...kind, settings: { ...kind.settings, ide, mcpServers: { editor: server } } };
}

/**
 * How the CLI calls our tools when it talks to its model. It starts servers in its own time, and one CLI does not wait
 * for them before the first prompt.
 */
async function toolNames({ model, say, terminal }: AgentCli): Promise<(name: string) => string> {
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
