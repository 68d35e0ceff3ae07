import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { startAgent } from "../harness/agent-cli.ts";
import {
  awaitClaudes,
  type Claude,
  claudeVersions,
  newestClaude,
  rejected,
  startClaude,
  startConnectedClaude,
} from "../harness/claude.ts";
import { type Companion, startCompanion } from "../harness/companion.ts";
import { otherMachine, startForward } from "../harness/forward.ts";
import { gemini } from "../harness/gemini.ts";
import { qwen } from "../harness/qwen.ts";
import { openReviewPage, type ReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { sshd } from "../harness/sshd.ts";

const before = "first\nsecond\n";

for (const version of claudeVersions) {
  scenario(
    `Claude Code ${version} finds the page, hears the selection, and has two diffs`,
    async (sandbox) => {
      await sandbox.write("note.txt", before);
      const page = await startPage(sandbox);
      const cli = await startConnectedClaude(sandbox, version);
      const text = await selectionOf(cli, page);
      expect(text).toContain(sandbox.path("note.txt"));
      await cli.proposeEdit(sandbox.path("note.txt"), "second", "2nd");
      await (await page.proposal("note.txt")).accept();
      await cli.finished();
      await cli.proposeEdit(sandbox.path("note.txt"), "2nd", "zweite");
      await (await page.proposal("note.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("first\nzweite\n");
    },
  );
}

scenario(
  "Claude Code on another machine is reviewed here over ssh, with the user's text",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    await sandbox.write("note.txt", before);
    const path = await there.write("note.txt", before);
    const page = await startPage(sandbox);
    const { terminal } = await startForward(sandbox, there);
    const cli = await startClaude(there, { version: newestClaude });
    await awaitClaudes(sandbox);
    const text = await selectionOf(cli, page);
    expect(text).toContain(path);
    expect(text).not.toContain(sandbox.workspace);
    await cli.proposeEdit(path, "second", "2nd");
    const proposal = await page.proposal("note.txt");
    await proposal.edit("2nd", "zweite");
    await proposal.accept();
    await cli.finished();
    expect(String(await there.read("note.txt"))).toBe("first\nzweite\n");
    expect(String(await sandbox.read("note.txt"))).toBe(before);
    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
  },
  { needs: { sshd } },
);

scenario(
  "a stopped companion leaves Claude Code's question open, and the next one has it again",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", before);
    const companion = await startCompanion(sandbox);
    const cli = await startConnectedClaude(sandbox);
    await cli.proposeEdit(path, "second", "2nd");
    await companion.says(/Claude Code +proposes/);
    await companion.stop();
    const again = await startCompanion(sandbox);
    await awaitClaudes(sandbox);
    await cli.answer("Enter");
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
    await proposeAndAccept(sandbox, again, cli);
  },
);

scenario("Claude Code connects again to a companion that was killed and is there again", async (sandbox) => {
  await sandbox.write("note.txt", "first\n2nd\n");
  const companion = await startCompanion(sandbox);
  const cli = await startConnectedClaude(sandbox);
  // It does not try again when it loses a companion while it starts.
  await cli.say("Hello");
  await cli.terminal.waitFor("Done.");
  await companion.kill();
  const again = await startCompanion(sandbox);
  await awaitClaudes(sandbox);
  await proposeAndAccept(sandbox, again, cli);
});

scenario("two Claude Codes at work do not touch each other's diffs", async (sandbox) => {
  const page = await startPage(sandbox);
  const first = await startConnectedClaude(sandbox);
  const second = await startClaude(sandbox, { version: newestClaude });
  await awaitClaudes(sandbox, 2);
  await first.proposeWrite(sandbox.path("one.txt"), "one\n");
  await page.proposal("one.txt");
  // Its prompt begins with closing all of its diffs.
  await second.proposeWrite(sandbox.path("two.txt"), "two\n");
  await (await page.proposal("two.txt", "Claude Code 2")).accept();
  await second.finished();
  await (await page.proposal("one.txt")).accept();
  await first.finished();
  expect(String(await sandbox.read("one.txt"))).toBe("one\n");
});

scenario(
  "Claude Code, Gemini CLI and Qwen Code each have a proposal for one file, and their own outcomes",
  async (sandbox) => {
    const path = sandbox.path("shared.txt");
    const page = await startPage(sandbox);
    const claude = await startConnectedClaude(sandbox);
    const [first, second] = [await startAgent(sandbox, gemini), await startAgent(sandbox, qwen)];
    for (const cli of [first, second]) await cli.connected();
    await claude.proposeWrite(path, "from Claude\n");
    await page.proposal("shared.txt", "Claude Code");
    await first.proposeWrite(path, "from Gemini\n");
    await second.proposeWrite(path, "from Qwen\n");
    await (await page.proposal("shared.txt", "Gemini CLI")).reject();
    await first.terminal.waitFor(gemini.rejected);
    await (await page.proposal("shared.txt", "Claude Code")).reject();
    await claude.terminal.waitFor(rejected);
    expect(await sandbox.read("shared.txt")).toBeUndefined();
    await (await page.proposal("shared.txt", "Qwen Code")).accept();
    await second.finished();
    expect(String(await sandbox.read("shared.txt"))).toBe("from Qwen\n");
  },
);

async function startPage(sandbox: Sandbox): Promise<ReviewPage> {
  return openReviewPage(sandbox, (await startCompanion(sandbox)).link);
}

async function proposeAndAccept(sandbox: Sandbox, companion: Companion, cli: Claude): Promise<void> {
  const page = await openReviewPage(sandbox, companion.link);
  await cli.proposeEdit(sandbox.path("note.txt"), "2nd", "zwei");
  await (await page.proposal("note.txt")).accept();
  await cli.finished();
  expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\n");
}

/** The user selects `second` in `note.txt`, and sends a prompt. @returns what the model was sent */
async function selectionOf(cli: Claude, page: ReviewPage): Promise<string> {
  await page.openFile("note.txt");
  await page.select("second");
  await cli.terminal.waitFor(/1 line selected/);
  cli.model.plan({ text: "An answer." });
  await cli.say("Look at it");
  await cli.terminal.waitFor("An answer.");
  return (await cli.model.request("The user selected the line")).text;
}
