import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { startAgent } from "../harness/agent-cli.ts";
import { startCompanion } from "../harness/companion.ts";
import { reroute } from "../harness/discovery-files.ts";
import { gemini } from "../harness/gemini.ts";
import { startProxy } from "../harness/proxy.ts";
import { qwen } from "../harness/qwen.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName} learns of an acceptance during which its stream was down`,
    async (sandbox) => {
      const { proxy, page, cli } = await startBehindProxy(sandbox, kind);
      await cli.proposeWrite(sandbox.path("down.txt"), "proposed\n");
      const proposal = await page.proposal("down.txt");
      await proposal.edit("proposed", "edited");
      proxy.cut();
      await proposal.accept();
      await proposal.gone();
      proxy.repair();
      await cli.finished();
      expect(String(await sandbox.read("down.txt"))).toBe("edited\n");
    },
  );

  scenario(`${kind.displayName} learns of an acceptance that was lost on the way`, async (sandbox) => {
    const { proxy, page, cli } = await startBehindProxy(sandbox, kind);
    await cli.proposeWrite(sandbox.path("lost.txt"), "proposed\n");
    const proposal = await page.proposal("lost.txt");
    proxy.lose();
    await proposal.accept();
    await proposal.gone();
    proxy.cut();
    proxy.repair();
    await cli.finished();
    expect(String(await sandbox.read("lost.txt"))).toBe("proposed\n");
  });
}

async function startBehindProxy(sandbox: Sandbox, kind: typeof gemini) {
  const companion = await startCompanion(sandbox);
  const proxy = await startProxy(sandbox, companion.port);
  await reroute(sandbox, proxy.port);
  const [page, cli] = await Promise.all([openReviewPage(sandbox, companion.link), startAgent(sandbox, kind)]);
  await cli.connected();
  return { proxy, page, cli };
}
