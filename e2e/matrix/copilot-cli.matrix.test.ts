import { delimiter } from "node:path";
import { expect } from "vitest";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Companion, startCompanion } from "../harness/companion.ts";
import {
  awaitCopilots,
  type Copilot,
  rejected,
  startConnectedCopilot,
  startCopilot,
} from "../harness/copilot.ts";
import { before, diffRows, type RowEditor } from "../harness/diff-rows.ts";
import { otherMachine, startForward } from "../harness/forward.ts";
import { neovim as neovimProgram } from "../harness/installed.ts";
import { startNeovim } from "../harness/neovim.ts";
import { openReviewPage, type ReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { sessionsOf } from "../harness/sessions-of.ts";
import { sshd } from "../harness/sshd.ts";

const editors = {
  "the review page": (sandbox: Sandbox): Promise<RowEditor> => startPage(sandbox),
  Neovim: async (sandbox: Sandbox): Promise<RowEditor> =>
    startNeovim(sandbox, [await sandbox.write("open.txt", "")]),
};

for (const [name, start] of Object.entries(editors)) {
  const needs = name === "Neovim" ? { neovim: neovimProgram } : {};

  const row = diffRows({
    title: `Copilot CLI in ${name}`,
    needs,
    startEditor: start,
    startCli: (sandbox) => startConnectedCopilot(sandbox),
    rejected,
  });

  row(
    "accepted",
    async ({ editor, cli }) => {
      await (await editor.proposal("note.txt")).accept();
      await cli.finished();
    },
    "first\n2nd\n",
  );

  scenario(
    `Copilot CLI in ${name}: a new file, and two changes one after the other`,
    async (sandbox) => {
      const path = sandbox.path("new.txt");
      const editor = await start(sandbox);
      const cli = await startConnectedCopilot(sandbox);
      await cli.proposeCreate(path, "new\n");
      await (await editor.proposal("new.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("new.txt"))).toBe("new\n");
      await cli.proposeEdit(path, "new", "newer");
      await (await editor.proposal("new.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("new.txt"))).toBe("newer\n");
    },
    { needs },
  );
}

scenario("Copilot CLI hears the selection, and that nothing is selected any more", async (sandbox) => {
  await sandbox.write("note.txt", before);
  await sandbox.write("other.txt", "");
  const page = await startPage(sandbox);
  const cli = await startConnectedCopilot(sandbox);
  await page.openFile("note.txt");
  await page.select("second");
  await cli.terminal.waitFor("@note.txt:2");
  cli.model.plan({ text: "An answer." });
  await cli.say("Look at it");
  await cli.terminal.waitFor("An answer.");
  const { text } = await cli.model.request("<ide_selection>");
  expect(text).toContain("File: note.txt (line 2)");
  await page.openFile("other.txt");
  await cli.terminal.waitForNo("@note.txt:2");
});

scenario(
  "a stopped companion leaves Copilot CLI's question open, and the next one is found",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", before);
    const companion = await startCompanion(sandbox);
    const cli = await startConnectedCopilot(sandbox);
    await cli.proposeEdit(path, "second", "2nd");
    await companion.says(/Copilot CLI.* +proposes/);
    await companion.stop();
    await cli.answer("Enter");
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
    await proposeAndAccept(sandbox, await startCompanion(sandbox), cli);
  },
);

scenario("Copilot CLI types references to whole lines into its prompt", async (sandbox) => {
  const path = await sandbox.write("note.txt", "one\ntwo\nthree\n");
  const { tmp, home, workspace } = sandbox;
  const host = { tmp, home, env: {}, delimiter };
  const { companion, events } = await startCore({ host, roots: [workspace] });
  const cli = await startCopilot(sandbox);
  await cli.ready();
  await poll("stream", () => events.some(({ kind }) => kind === "stream-opened") || undefined, {
    describe: () => cli.terminal.screen(),
  });
  const range = { start: { line: 1, character: 1 }, end: { line: 3, character: 1 } };
  expect(await companion.send({ mentions: [{ path, range }] })).toEqual({
    kind: "sent",
    agent: "Copilot CLI",
  });
  await cli.terminal.waitFor("@note.txt:1-2");
  expect(await companion.send({ mentions: [{ path }] })).toEqual({ kind: "sent", agent: "Copilot CLI" });
  await cli.terminal.waitFor(/@note\.txt:1-2 @note\.txt(?!:)/);
});

scenario("Copilot CLI finds the next companion after one was killed", async (sandbox) => {
  await sandbox.write("note.txt", "first\n2nd\n");
  const companion = await startCompanion(sandbox);
  const cli = await startConnectedCopilot(sandbox);
  await companion.kill();
  await proposeAndAccept(sandbox, await startCompanion(sandbox), cli);
});

scenario("Copilot CLI is found by a companion that starts after it", async (sandbox) => {
  await sandbox.write("note.txt", "first\n2nd\n");
  const cli = await startCopilot(sandbox);
  await cli.ready();
  await proposeAndAccept(sandbox, await startCompanion(sandbox), cli);
});

scenario("two Copilot CLIs at work do not touch each other's diffs", async (sandbox) => {
  const page = await startPage(sandbox);
  const first = await startConnectedCopilot(sandbox);
  const second = await startCopilot(sandbox);
  await awaitCopilots(sandbox, 2);
  await first.proposeCreate(sandbox.path("one.txt"), "one\n");
  await page.proposal("one.txt");
  await second.proposeCreate(sandbox.path("two.txt"), "two\n");
  await (await page.proposal("two.txt")).accept();
  await second.finished();
  await (await page.proposal("one.txt")).accept();
  await first.finished();
  expect(String(await sandbox.read("one.txt"))).toBe("one\n");
});

scenario("Copilot CLI takes part of a session up again by --continue", async (sandbox) => {
  await sandbox.write("note.txt", "first\n2nd\n");
  const companion = await startCompanion(sandbox);
  const cli = await startConnectedCopilot(sandbox);
  cli.model.plan({ text: "An answer." });
  await cli.say("Remember this");
  await cli.terminal.waitFor("An answer.");
  await cli.kill();
  // It would count for the next one, which has its id.
  await poll(
    "no session of Copilot CLI",
    async () => (await sessionsOf(sandbox, "Copilot CLI")) === 0 || undefined,
  );
  const again = await startConnectedCopilot(sandbox, { args: ["--continue"] });
  await proposeAndAccept(sandbox, companion, again);
});

scenario(
  "Copilot CLI on another machine is reviewed here over ssh, after a break and by the next companion",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    await sandbox.write("note.txt", before);
    const path = await there.write("note.txt", before);
    const companion = await startCompanion(sandbox);
    const page = await openReviewPage(sandbox, companion.link);
    const { server, terminal } = await startForward(sandbox, there);
    await terminal.waitFor(/Start .*copilot.* there/);
    const cli = await startCopilot(there);
    await awaitCopilots(sandbox);
    await page.openFile("note.txt");
    await page.select("second");
    await cli.terminal.waitFor("@note.txt:2");
    await cli.proposeEdit(path, "second", "2nd");
    await (await page.proposal("note.txt")).accept();
    await cli.finished();
    expect(String(await there.read("note.txt"))).toBe("first\n2nd\n");
    expect(String(await sandbox.read("note.txt"))).toBe(before);
    const { text } = await cli.model.request("<ide_selection>");
    expect(text).not.toContain(sandbox.workspace);

    await server.cut();
    await cli.terminal.waitFor("IDE connection lost");
    await page.select("first");
    await cli.terminal.waitFor("@note.txt:1");

    await companion.stop();
    await terminal.waitFor("The companion has ended. Waiting for the next one");
    const next = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    await awaitCopilots(sandbox);
    await cli.proposeEdit(path, "2nd", "zweite");
    await (await next.proposal("note.txt")).accept();
    await cli.finished();
    expect(String(await there.read("note.txt"))).toBe("first\nzweite\n");
  },
  { needs: { sshd } },
);

async function startPage(sandbox: Sandbox): Promise<ReviewPage> {
  return openReviewPage(sandbox, (await startCompanion(sandbox)).link);
}

async function proposeAndAccept(sandbox: Sandbox, companion: Companion, cli: Copilot): Promise<void> {
  const page = await openReviewPage(sandbox, companion.link);
  await awaitCopilots(sandbox);
  await cli.proposeEdit(sandbox.path("note.txt"), "2nd", "zwei");
  await (await page.proposal("note.txt")).accept();
  await cli.finished();
  expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\n");
}
