import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
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

takesBack(unaskingOpencode());

scenario("what opencode writes by a patch, as with models of OpenAI, is recorded", async (sandbox) => {
  const path = await sandbox.write("a.txt", "alpha\nbeta\n");
  const { prompt } = await setUpUnasking(sandbox, unaskingOpencode("gpt-5"));
  const change = [`*** Update File: ${path}`, "@@", "-beta", "+BETA"];
  const lines = ["*** Begin Patch", ...change, "*** Add File: new.txt", "+new", "*** End Patch"];
  const call = { call: "apply_patch", args: { patchText: lines.join("\n") } };
  await prompt("Change", call, { text: "Both are done." });
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
      const read = async (name: string) => String(await sandbox.read(name));
      const path = await sandbox.write("a.txt", `${mark}alpha\r\nbeta\r\n`);
      const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
      await callCommand(sandbox, "install", "--yes", "opencode");
      await callCommand(sandbox, "review", "before");
      const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
      const model = await startModel(sandbox);
      const terminal = await startOpencodeScreen(
        sandbox,
        model,
        { PATH },
        { permission: { edit: permission } },
      );
      await terminal.waitFor("Ask anything");
      const { propose, finished } = createTurns({ model, terminal, say: (text) => typeIn(terminal, text) });
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
      await eventually(async () =>
        expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] }),
      );
    },
  );
