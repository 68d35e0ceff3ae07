import { expect } from "vitest";
import { type AgentKind, startAgent } from "./harness/agent-cli.ts";
import { startCompanion } from "./harness/companion.ts";
import { gemini } from "./harness/gemini.ts";
import { companionScript } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName} has all of IDE mode over standard input and output`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", "roses\n");
      const companion = await startCompanion(sandbox);
      const [page, cli] = await Promise.all([
        openReviewPage(sandbox, companion.link),
        startAgent(sandbox, kind, { env: stdioVariables(kind) }),
      ]);
      await cli.connected();
      await page.openFile("poem.txt");
      await page.select("roses");
      await page.contextHolds("roses");
      await cli.proposeWriteAfterReading(path, "tulips\n");
      const first = await page.proposal("poem.txt");
      await first.edit("tulips", "lilies");
      await first.accept();
      await cli.finished();
      expect(String(await sandbox.read("poem.txt"))).toBe("lilies\n");
      expect(cli.model.requests[0]?.text).toContain("poem.txt");

      await cli.proposeWrite(path, "daisies\n");
      const second = await page.proposal("poem.txt");
      await cli.acceptInTerminal();
      await cli.finished();
      await second.gone();
      expect(String(await sandbox.read("poem.txt"))).toBe("daisies\n");
      await cli.kill();
      await companion.says(new RegExp(`${kind.displayName} +disconnected`));
    },
    { matrix: kind === qwen },
  );
}

/** Found by nothing but the command: no port is named, and no file is looked for. */
function stdioVariables({ name }: AgentKind): Record<string, string> {
  const prefix = name === "gemini" ? "GEMINI_CLI" : "QWEN_CODE";
  return {
    [`${prefix}_IDE_SERVER_STDIO_COMMAND`]: process.execPath,
    [`${prefix}_IDE_SERVER_STDIO_ARGS`]: JSON.stringify([companionScript, "mcp", "--agent", name]),
  };
}
