import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { type Codex, patchBy, shareCodex } from "../harness/codex.ts";
import { startCompanion } from "../harness/companion.ts";
import { pathWithCommand } from "../harness/editor.ts";
import { callCommand } from "../harness/installation.ts";
import { newerNode, codex as program } from "../harness/installed.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { hasEnded, pressUntil } from "../harness/terminal.ts";

scenario(
  "terminals of Codex CLI that share its service are asked in the companion of their folder, also once they are gone",
  async (sandbox) => {
    const folders = [sandbox.path("one"), sandbox.path("two")] as const;
    await sandbox.write("one/a.txt", "alpha\n");
    await sandbox.write("two/a.txt", "alpha\n");
    const holds = (name: string, text: string) =>
      eventually(async () => expect(String(await sandbox.read(name))).toBe(text));
    const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
    await callCommand(sandbox, "install", "--yes", "codex");
    const open = async (cwd: string) =>
      openReviewPage(sandbox, (await startCompanion(sandbox, { cwd })).link);
    const [pageOfOne, pageOfTwo] = [await open(folders[0]), await open(folders[1])];
    const startTerminal = await shareCodex(sandbox, folders);
    const start = (cwd: string) => startTerminal({ cwd, command: ["env", `PATH=${PATH}`, program] });
    const change = async (cli: Codex, from: string, to: string) => {
      const patch = patchBy("*** Update File: a.txt", "@@", `-${from}`, `+${to}`);
      cli.model.plan(patch, { text: `It is ${to}.` });
      await cli.say(`Make it ${to}`);
    };

    const first = await start(folders[0]);
    await first.terminal.waitFor("Hooks need review");
    await first.terminal.press("Down");
    await first.terminal.waitFor("› 2. Trust all");
    await pressUntil(first.terminal, "Enter", (screen) => !screen.includes("Trust all"));
    await change(first, "alpha", "beta");
    await first.terminal.waitFor("Would you like to make the following edits?");
    await first.terminal.press("Enter");
    await first.terminal.waitFor("It is beta.");
    const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
    expect(turns).toMatchObject([{ title: "Make it beta", changes: [{ path: sandbox.path("one/a.txt") }] }]);

    await callCommand(sandbox, "review", "before");
    const second = await start(folders[1]);
    await change(second, "alpha", "gamma");
    const edited = await pageOfTwo.proposal("a.txt", "Codex CLI");
    await pageOfOne.nothingWaits();
    await pressUntil(first.terminal, "C-c", hasEnded);
    await edited.edit("gamma", "drei");
    await edited.accept();
    await second.terminal.waitFor("It is gamma.");
    await holds("two/a.txt", "drei\n");

    await change(second, "drei", "delta");
    const left = await pageOfTwo.proposal("a.txt");
    await second.terminal.press("Escape");
    await left.gone();

    await change(second, "drei", "four");
    const last = await pageOfTwo.proposal("a.txt");
    process.kill(second.terminal.pid, "SIGKILL");
    await second.terminal.exited();
    await last.accept();
    await holds("two/a.txt", "four\n");
  },
  { needs: { "Codex CLI": program } },
);
