import { expect } from "vitest";
import { processTree } from "../../packages/testkit/src/process-tree.ts";
import { startAgent } from "../harness/agent-cli.ts";
import { startCompanion } from "../harness/companion.ts";
import { reroute } from "../harness/discovery-files.ts";
import { startFixture } from "../harness/fixture.ts";
import { gemini } from "../harness/gemini.ts";
import { startProxy } from "../harness/proxy.ts";
import { qwen } from "../harness/qwen.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";

// What the wire does to a client of ours, and what else can fail, is in torture/faults.
for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName} writes what was accepted, once, though every byte comes late and all news twice`,
    async (sandbox) => {
      const companion = await startCompanion(sandbox);
      const proxy = await startProxy(sandbox, companion.port);
      proxy.worsen();
      await reroute(sandbox, proxy.port);
      const [page, cli] = await Promise.all([
        openReviewPage(sandbox, companion.link),
        startAgent(sandbox, kind),
      ]);
      await cli.connected();
      expect(proxy.streams).toBe(1);
      for (const text of ["äöü 😀 first\n", "äöü 😀 second\n"]) {
        await cli.proposeWrite(sandbox.path(`${text.trim().split(" ").at(-1)}.txt`), text);
        const proposal = await page.proposal(`${text.trim().split(" ").at(-1)}.txt`);
        await proposal.edit("äöü", "日本語");
        await proposal.accept();
        await cli.finished();
      }
      expect(String(await sandbox.read("first.txt"))).toBe("日本語 😀 first\n");
      expect(String(await sandbox.read("second.txt"))).toBe("日本語 😀 second\n");
    },
  );

  scenario(
    `${kind.displayName} and its companion stand still in turn, and nothing is lost`,
    async (sandbox) => {
      const { companion, page, cli } = await startFixture(sandbox, kind);
      await cli.proposeWrite(sandbox.path("still.txt"), "proposed\n");
      const proposal = await page.proposal("still.txt");
      await proposal.edit("proposed", "edited");
      const all = await processTree(cli.terminal.pid);
      for (const pid of all) process.kill(pid, "SIGSTOP");
      await proposal.accept();
      await proposal.gone();
      process.kill(companion.pid, "SIGSTOP");
      for (const pid of all) process.kill(pid, "SIGCONT");
      process.kill(companion.pid, "SIGCONT");
      await cli.finished();
      expect(String(await sandbox.read("still.txt"))).toBe("edited\n");
    },
  );
}
