import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { toPatch } from "../harness/codex.ts";
import { startCompanion } from "../harness/companion.ts";
import { pathWithCommand } from "../harness/editor.ts";
import { callCommand } from "../harness/installation.ts";
import { newerNode } from "../harness/installed.ts";
import { startModel } from "../harness/model.ts";
import { startOpencodeScreen, unaskingOpencode } from "../harness/opencode.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { takesBack } from "../harness/takes-back.ts";
import { pressUntil, typeIn } from "../harness/terminal.ts";
import { createTurns } from "../harness/turns.ts";
import { setUpUnasking } from "../harness/unasking.ts";

const editOf = (filePath: string, oldString: string, newString: string) => ({
  call: "edit",
  args: { filePath, oldString, newString },
});

const patchOf = (...lines: readonly string[]) => ({
  call: "apply_patch",
  args: { patchText: toPatch(lines) },
});

/** opencode at its prompt, whose user is asked on the page. @param name of its model */
async function setUpAsking(sandbox: Sandbox, edit: string, name?: string) {
  const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
  await callCommand(sandbox, "install", "--yes", "opencode");
  await callCommand(sandbox, "review", "before");
  const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
  const model = await startModel(sandbox);
  const terminal = await startOpencodeScreen(sandbox, model, { PATH }, { permission: { edit } }, name);
  await terminal.waitFor("Ask anything");
  const turns = createTurns({ model, terminal, say: (text) => typeIn(terminal, text) });
  const nothingIsListed = () =>
    eventually(async () =>
      expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] }),
    );
  const read = async (path: string) => String(await sandbox.read(path));
  return { page, model, terminal, ...turns, nothingIsListed, read };
}

takesBack(unaskingOpencode());

scenario("what opencode writes by a patch, as with models of OpenAI, is recorded", async (sandbox) => {
  const path = await sandbox.write("a.txt", "alpha\nbeta\n");
  const { prompt } = await setUpUnasking(sandbox, unaskingOpencode("gpt-5"));
  const change = [`*** Update File: ${path}`, "@@", "-beta", "+BETA"];
  await prompt("Change", patchOf(...change, "*** Add File: new.txt", "+new"), { text: "Both are done." });
  expect(String(await sandbox.read("a.txt"))).toBe("alpha\nBETA\n");
  const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
  expect(turns).toMatchObject([{ changes: [{ kind: "modified", removed: 1 }, { kind: "added" }] }]);
});

for (const [permission, mark, heard] of [
  ["allow", "", "The user has changed your text"],
  ["ask", "\uFEFF", "Written with the user's changes"],
] as const)
  scenario(
    `opencode waits for its user on the page, and writes what the user has typed there (edit: ${permission})`,
    async (sandbox) => {
      const path = await sandbox.write("a.txt", `${mark}alpha\r\nbeta\r\n`);
      const opencode = await setUpAsking(sandbox, permission);
      const { page, model, terminal, propose, finished, read } = opencode;
      await propose({ call: "read", args: { filePath: path } }, editOf(path, "beta", "BETA"));
      const first = await page.proposal("a.txt");
      expect(await read("a.txt")).toBe(`${mark}alpha\r\nbeta\r\n`);
      await first.accept();
      await finished();
      expect(await read("a.txt")).toBe(`${mark}alpha\r\nBETA\r\n`);

      await propose(editOf(path, "BETA", "gamma"));
      const second = await page.proposal("a.txt");
      await second.edit("gamma", "zwei");
      await second.accept();
      await finished();
      expect(await read("a.txt")).toBe(`${mark}alpha\r\nzwei\r\n`);
      await model.request(heard);

      await propose({ call: "write", args: { filePath: sandbox.path("new.txt"), content: "new\n" } });
      const third = await page.proposal("new.txt");
      await third.edit("new", "neu");
      await third.accept();
      await finished();
      expect(await read("new.txt")).toBe("neu\n");

      await propose(editOf(path, "zwei", "delta"));
      await (await page.proposal("a.txt")).reject();
      await finished();
      await model.request("Rejected, and not written");
      expect(await read("a.txt")).toBe(`${mark}alpha\r\nzwei\r\n`);

      await propose(editOf(path, "zwei", "delta"));
      const last = await page.proposal("a.txt");
      await pressUntil(terminal, "Escape", (screen) => !/esc .*interrupt/.test(screen));
      await last.gone();
      expect(await read("a.txt")).toBe(`${mark}alpha\r\nzwei\r\n`);
      await opencode.nothingIsListed();
    },
  );

scenario(
  "opencode waits for each file of a patch, and writes what its user accepts or types",
  async (sandbox) => {
    await sandbox.write("a.txt", "alpha\r\nbeta\r\n");
    await sandbox.write("b.txt", "one\ntwo\n");
    await sandbox.write("gone.txt", "gone\n");
    const opencode = await setUpAsking(sandbox, "ask", "gpt-5");
    const { page, model, propose, finished, read } = opencode;
    const accept = async (name: string) => (await page.proposal(name)).accept();
    const all = ["*** Update File: b.txt", "*** Move to: sub/moved.txt", "@@ one", "-two", "+2"];
    await propose(patchOf(...all, "*** Add File: new.txt", "+new", "*** Delete File: gone.txt"));
    for (const name of ["b.txt", "moved.txt", "new.txt"]) await accept(name);
    expect(await read("b.txt")).toBe("one\ntwo\n");
    await accept("gone.txt");
    await finished();
    expect([await read("sub/moved.txt"), await read("new.txt")]).toEqual(["one\n2\n", "new\n"]);
    expect([await sandbox.read("b.txt"), await sandbox.read("gone.txt")]).toEqual([undefined, undefined]);

    await propose(patchOf("*** Update File: a.txt", "@@", "-beta", "+BETA"));
    const edited = await page.proposal("a.txt");
    await edited.edit("BETA", "zwei");
    await edited.accept();
    await finished();
    expect(await read("a.txt")).toBe("alpha\r\nzwei\r\n");
    await model.request("The user has changed your text");

    await propose(
      patchOf("*** Update File: a.txt", "@@", "-zwei", "+2", "*** Add File: other.txt", "+other"),
    );
    await accept("a.txt");
    await (await page.proposal("other.txt")).reject();
    await finished();
    await model.request("Rejected, and not written: other.txt");
    expect([await read("a.txt"), await sandbox.read("other.txt")]).toEqual(["alpha\r\n2\r\n", undefined]);
    await opencode.nothingIsListed();
  },
);
