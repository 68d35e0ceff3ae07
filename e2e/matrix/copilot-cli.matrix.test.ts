import { mkdir } from "node:fs/promises";
import { delimiter } from "node:path";
import { expect } from "vitest";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { startCompanion } from "../harness/companion.ts";
import {
  awaitCopilots,
  type Copilot,
  rejected,
  startConnectedCopilot,
  startCopilot,
} from "../harness/copilot.ts";
import { before, diffRows } from "../harness/diff-rows.ts";
import { type EndedEditor, pageAndNeovim } from "../harness/ended-editors.ts";
import { otherMachine, startForward } from "../harness/forward.ts";
import { onDisk } from "../harness/recovered-edits.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { sessionsOf } from "../harness/sessions-of.ts";
import { sshd } from "../harness/sshd.ts";

for (const { name, needs, start } of pageAndNeovim) {
  const row = diffRows({
    title: `Copilot CLI in ${name}`,
    needs,
    startEditor: (sandbox) => start(sandbox),
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

  row(
    "the file changes under a proposal, and the CLI writes its own text",
    async ({ sandbox, editor, cli }) => {
      const proposal = await editor.proposal("note.txt");
      await sandbox.write("note.txt", "another\nsecond\n");
      await proposal.accept();
      await cli.finished();
    },
    "first\n2nd\n",
  );

  row(
    "an own version waits once the CLI has written its text",
    async ({ sandbox, editor, cli }) => {
      const proposal = await editor.proposal("note.txt");
      await editor.editOwnVersion("2nd", "zwei");
      await proposal.accept();
      await cli.finished();
      await onDisk(sandbox, { folder: "edits", text: "zwei" }, cli.terminal);
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

  scenario(
    `Copilot CLI hears the selection of ${name}, and that nothing is selected any more`,
    async (sandbox) => {
      await sandbox.write("note.txt", before);
      await sandbox.write("other.txt", "");
      const editor = await start(sandbox);
      const cli = await startConnectedCopilot(sandbox);
      await editor.open("note.txt");
      await editor.select("second");
      await cli.terminal.waitFor("@note.txt:2");
      cli.model.plan({ text: "An answer." });
      await cli.say("Look at it");
      await cli.terminal.waitFor("An answer.");
      const { text } = await cli.model.request("<ide_selection>");
      expect(text).toContain("File: note.txt (line 2)");
      await editor.open("other.txt");
      await cli.terminal.waitForNo("@note.txt:2");
    },
    { needs },
  );

  scenario(
    `${name} that stops leaves Copilot CLI's question open, and the next one is found`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", before);
      const editor = await start(sandbox);
      const cli = await startConnectedCopilot(sandbox);
      await cli.proposeEdit(path, "second", "2nd");
      await editor.proposal("note.txt");
      await editor.stop();
      await cli.answer("Enter");
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
      await proposeAndAccept(sandbox, await start(sandbox), cli);
    },
    { needs },
  );

  scenario(
    `Copilot CLI finds the next ${name} after one was killed`,
    async (sandbox) => {
      await sandbox.write("note.txt", "first\n2nd\n");
      const editor = await start(sandbox);
      const cli = await startConnectedCopilot(sandbox);
      await editor.kill();
      await proposeAndAccept(sandbox, await start(sandbox), cli);
    },
    { needs },
  );

  scenario(
    `Copilot CLI is found by ${name} that starts after it`,
    async (sandbox) => {
      await sandbox.write("note.txt", "first\n2nd\n");
      const cli = await startCopilot(sandbox);
      await cli.ready();
      await proposeAndAccept(sandbox, await start(sandbox), cli);
    },
    { needs },
  );

  scenario(
    `two Copilot CLIs at work do not touch each other's diffs in ${name}`,
    async (sandbox) => {
      const editor = await start(sandbox);
      const first = await startConnectedCopilot(sandbox);
      const second = await startCopilot(sandbox);
      await awaitCopilots(sandbox, 2);
      await first.proposeCreate(sandbox.path("one.txt"), "one\n");
      const one = await editor.proposal("one.txt");
      await second.proposeCreate(sandbox.path("two.txt"), "two\n");
      await (await editor.proposal("two.txt")).accept();
      await second.finished();
      // It is in front again.
      await one.accept();
      await first.finished();
      expect(String(await sandbox.read("one.txt"))).toBe("one\n");
    },
    { needs },
  );

  scenario(
    `Copilot CLI takes part of a session up again by --continue with ${name}`,
    async (sandbox) => {
      await sandbox.write("note.txt", "first\n2nd\n");
      const editor = await start(sandbox);
      const cli = await startConnectedCopilot(sandbox);
      cli.model.plan({ text: "An answer." });
      await cli.say("Remember this");
      await cli.terminal.waitFor("An answer.");
      await cli.kill();
      // Until its terminal has seen its end, its process is still listed, and the next CLI takes the session for used.
      await cli.terminal.exited();
      // It would count for the next one, which has its id.
      await poll("no session of Copilot CLI", async () => (await sessionsOf(sandbox, "Copilot CLI")) === 0);
      const again = await startConnectedCopilot(sandbox, { args: ["--continue"] });
      await proposeAndAccept(sandbox, editor, again);
    },
    { needs },
  );

  scenario(
    `Copilot CLI that was allowed all tools shows no diff in ${name}`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", before);
      const editor = await start(sandbox);
      const cli = await startConnectedCopilot(sandbox, { args: ["--allow-all-tools"] });
      await cli.proposeEdit(path, "second", "2nd");
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
      await editor.nothingWaits();
    },
    { needs },
  );

  scenario(
    `Copilot CLI asks in its terminal alone about a file that becomes empty, with ${name}`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", before);
      const editor = await start(sandbox);
      const cli = await startConnectedCopilot(sandbox);
      await cli.proposeEdit(path, before, "");
      await cli.answer("Enter");
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("");
      await editor.nothingWaits();
    },
    { needs },
  );

  scenario(
    `Copilot CLI in a folder below that of ${name} connects by /ide`,
    async (sandbox) => {
      const cwd = sandbox.path("below");
      await mkdir(cwd);
      const path = await sandbox.write("below/note.txt", before);
      const editor = await start(sandbox);
      const cli = await startCopilot(sandbox, { cwd });
      // Right after its start, it refuses to connect.
      await cli.say("Hello");
      await cli.terminal.waitFor("Done.");
      await cli.say("/ide");
      await cli.terminal.waitFor(sandbox.workspace);
      expect(await sessionsOf(sandbox, "Copilot CLI")).toBe(0);
      await cli.terminal.press("Enter");
      await cli.terminal.waitFor("Connected to");
      await awaitCopilots(sandbox);
      await cli.terminal.press("Escape");
      await cli.proposeEdit(path, "second", "2nd");
      await (await editor.proposal("note.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("below/note.txt"))).toBe("first\n2nd\n");
    },
    { needs },
  );
}

scenario("Copilot CLI with a prompt as its argument never connects", async (sandbox) => {
  const companion = await startCompanion(sandbox);
  const cli = await startCopilot(sandbox, { args: ["-p", "Hello"] });
  await cli.model.request("Hello");
  expect(await cli.terminal.exited()).toBe(0);
  expect(companion.output()).not.toContain("Copilot CLI");
});

scenario("Copilot CLI types references to whole lines into its prompt", async (sandbox) => {
  const path = await sandbox.write("note.txt", "one\ntwo\nthree\n");
  const { tmp, home, workspace } = sandbox;
  const host = { tmp, home, env: {}, delimiter };
  const { companion, events } = await startCore({ host, roots: [workspace] });
  const cli = await startCopilot(sandbox);
  await cli.ready();
  await poll("stream", () => events.some(({ kind }) => kind === "stream-opened"), {
    describe: () => cli.terminal.screen(),
  });
  expect(await companion.send({ mentions: [{ path, lines: { first: 1, last: 2 } }] })).toEqual({
    kind: "sent",
    agent: "Copilot CLI",
  });
  await cli.terminal.waitFor("@note.txt:1-2");
  expect(await companion.send({ mentions: [{ path }] })).toEqual({ kind: "sent", agent: "Copilot CLI" });
  await cli.terminal.waitFor(/@note\.txt:1-2 @note\.txt(?!:)/);
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

async function proposeAndAccept(sandbox: Sandbox, editor: EndedEditor, cli: Copilot): Promise<void> {
  await awaitCopilots(sandbox);
  await cli.proposeEdit(sandbox.path("note.txt"), "2nd", "zwei");
  await (await editor.proposal("note.txt")).accept();
  await cli.finished();
  expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\n");
}
