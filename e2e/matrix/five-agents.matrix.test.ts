import { expect } from "vitest";
import { startAgent } from "../harness/agent-cli.ts";
import { rejected as rejectedByClaude, startConnectedClaude } from "../harness/claude.ts";
import { askCodex, enableIde, startCodex } from "../harness/codex.ts";
import { startCompanion } from "../harness/companion.ts";
import { awaitCopilots, startCopilot } from "../harness/copilot.ts";
import { gemini } from "../harness/gemini.ts";
import { codex as codexProgram } from "../harness/installed.ts";
import { qwen } from "../harness/qwen.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";

scenario(
  "five agents at once, four with a waiting change and one that asks for the context, each hear only their own",
  async (sandbox) => {
    await sandbox.write("note.txt", "first\nsecond\n");
    const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    const claude = await startConnectedClaude(sandbox);
    const copilot = await startCopilot(sandbox);
    const [first, second] = [await startAgent(sandbox, gemini), await startAgent(sandbox, qwen)];
    const codex = await startCodex(sandbox);
    for (const cli of [first, second]) await cli.connected();
    await awaitCopilots(sandbox);
    await claude.proposeWrite(sandbox.path("claude.txt"), "of Claude\n");
    await copilot.proposeCreate(sandbox.path("copilot.txt"), "of Copilot\n");
    await first.proposeWrite(sandbox.path("gemini.txt"), "of Gemini\n");
    await second.proposeWrite(sandbox.path("qwen.txt"), "of Qwen\n");
    const ofGemini = await page.proposal("gemini.txt", "Gemini CLI");
    await ofGemini.edit("Gemini", "Gemini and me");
    for (const name of ["claude", "copilot", "qwen"]) await page.proposal(`${name}.txt`);
    await page.openFile("note.txt");
    await page.select("second");
    await enableIde(codex);
    const text = await askCodex(codex, "Describe what you see");
    expect(text).toContain("## Active selection of the file:\nsecond\n");
    await (await page.proposal("qwen.txt", "Qwen Code")).reject();
    await second.terminal.waitFor(qwen.rejected);
    await (await page.proposal("copilot.txt", "Copilot CLI")).accept();
    await copilot.finished();
    await (await page.proposal("claude.txt", "Claude Code")).reject();
    await claude.terminal.waitFor(rejectedByClaude);
    await (await page.proposal("gemini.txt", "Gemini CLI")).accept();
    await first.finished();
    await page.nothingWaits();
    const texts = await Promise.all(
      ["gemini", "qwen", "claude", "copilot"].map(async (name) => {
        const found = await sandbox.read(`${name}.txt`);
        return found && String(found);
      }),
    );
    expect(texts).toEqual(["of Gemini and me\n", undefined, undefined, "of Copilot\n"]);
  },
  { needs: { "Codex CLI": codexProgram } },
);
