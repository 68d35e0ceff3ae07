import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually } from "../packages/testkit/src/eventually.ts";
import { startConnected, writeSettings } from "./harness/agent-cli.ts";
import {
  askCodex,
  codeMode,
  patchBy,
  patchIn,
  scriptedPatch,
  scriptOf,
  startCodex,
} from "./harness/codex.ts";
import { startCompanion } from "./harness/companion.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { callCommand } from "./harness/installation.ts";
import { newerNode, codex as program } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";
import { pressUntil } from "./harness/terminal.ts";
import { setUpUnasking, unaskingCodex, unaskingCodexByScripts } from "./harness/unasking.ts";

const needs = { "Codex CLI": program };

for (const [mode, flags, matrix] of [
  ["that asks in its terminal", [], true],
  ["that never asks", ["--dangerously-bypass-approvals-and-sandbox"], false],
] as const)
  scenario(
    `in a mode ${mode}, Codex CLI waits for each file of a patch on the page, and writes what its user accepts`,
    async (sandbox) => {
      const read = async (name: string) => String(await sandbox.read(name));
      await sandbox.write("a.txt", "alpha\r\nbeta\r\n");
      await sandbox.write("b.txt", "one\ntwo");
      await sandbox.write("gone.txt", "gone\n");
      const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
      await callCommand(sandbox, "install", "--yes", "codex");
      await callCommand(sandbox, "review", "before");
      const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
      const command = [program, "--no-daemon", "--dangerously-bypass-hook-trust", ...flags];
      const cli = await startCodex(sandbox, { command: ["env", `PATH=${PATH}`, ...command] });
      cli.model.plan(
        patchBy(
          ...["*** Update File: a.txt", "@@", "-beta", "+BETA", "*** Add File: sub/new.txt", "+new"],
          ...["*** Delete File: gone.txt"],
        ),
        { text: "The first is done." },
      );
      await cli.say("Change three files");
      const first = await page.proposal("a.txt", "Codex CLI");
      await cli.terminal.waitFor("Running hook");
      await first.accept();
      await (await page.proposal("new.txt")).accept();
      expect(await read("a.txt")).toBe("alpha\r\nbeta\r\n");
      await (await page.proposal("gone.txt")).accept();
      await cli.terminal.waitFor("The first is done.");
      expect(await read("a.txt")).toBe("alpha\r\nBETA\r\n");
      expect(await read("sub/new.txt")).toBe("new\n");
      expect(await sandbox.read("gone.txt")).toBeUndefined();

      cli.model.plan(
        patchBy(
          ...["*** Update File: a.txt", "@@", "-BETA", "+beta", "*** Update File: b.txt", "@@", "-two", "+2"],
          ...["*** Update File: sub/new.txt", "*** Move to: moved.txt", "@@", "-new", "+newer"],
        ),
        { text: "The second is done." },
      );
      await cli.say("Change them again");
      const edited = await page.proposal("a.txt");
      await edited.edit("beta", "zwei");
      await edited.accept();
      await (await page.proposal("b.txt")).reject();
      await (await page.proposal("moved.txt")).accept();
      await (await page.proposal("new.txt")).reject();
      await cli.terminal.waitFor("The second is done.");
      const { text } = await cli.model.request("Rejected, and not written: b.txt, sub/new.txt.");
      expect(text).toContain("Written as you proposed it: moved.txt.");
      expect(text).toContain("Written with the user's changes, so read it again: a.txt.");
      expect(await read("a.txt")).toBe("alpha\r\nzwei\r\n");
      expect(await read("b.txt")).toBe("one\ntwo");
      expect([await read("moved.txt"), await read("sub/new.txt")]).toEqual(["newer\n", "new\n"]);
      cli.model.plan(
        patchIn("cd sub && ", "*** Update File: new.txt", "@@", "-new", "+newest"),
        patchIn(`cd "${sandbox.workspace}" && `, "*** Delete File: sub/new.txt"),
        { text: "It is done there." },
      );
      await cli.say("Change it in its folder");
      await (await page.proposal("new.txt")).accept();
      await eventually(async () => expect(await read("sub/new.txt")).toBe("newest\n"));
      await (await page.proposal("new.txt")).accept();
      await cli.terminal.waitFor("It is done there.");
      expect(await sandbox.read("sub/new.txt")).toBeUndefined();
      cli.model.plan(patchBy("*** Update File: b.txt", "@@", "-one", "+1"), { text: "The third is done." });
      await cli.say("Change one more");
      const left = await page.proposal("b.txt");
      await cli.terminal.press("Escape");
      await left.gone();
      expect(await read("b.txt")).toBe("one\ntwo");
      // While a hook runs, its program cannot be set up again.
      await eventually(async () =>
        expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] }),
      );
    },
    { needs, matrix },
  );

scenario(
  "a model of Codex CLI that writes scripts ends its turn while its user still looks: what is accepted then is written, and it reads the rest with the next prompt",
  async (sandbox) => {
    const read = async (name: string) => String(await sandbox.read(name));
    const holds = (name: string, text: string) => eventually(async () => expect(await read(name)).toBe(text));
    for (const name of ["a.txt", "b.txt", "c.txt"]) await sandbox.write(name, "alpha\nbeta\n");
    const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
    await callCommand(sandbox, "install", "--yes", "codex");
    await callCommand(sandbox, "review", "before");
    const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    const command = [program, "--no-daemon", "--dangerously-bypass-hook-trust", ...codeMode];
    const cli = await startCodex(sandbox, { command: ["env", `PATH=${PATH}`, ...command] });
    /** The model changes a file, and ends its turn before its user has decided. */
    const change = async (name: string, rest = "") => {
      const script = [scriptedPatch(`*** Update File: ${name}`, "@@", "-beta", "+BETA"), rest];
      cli.model.plan(scriptOf(script, 0.5), { text: `The turn of ${name} is over.` });
      await cli.say(`Change ${name}`);
      const proposal = await page.proposal(name, "Codex CLI");
      await cli.terminal.waitFor(`The turn of ${name} is over.`);
      await page.page.getByText(`Codex CLI has ended its turn, and writes ${name} once`).first().waitFor();
      return proposal;
    };
    await (await change("a.txt")).accept();
    await holds("a.txt", "alpha\nBETA\n");

    const late = scriptedPatch("*** Add File: late.txt", "+late");
    const edited = await change("b.txt", late);
    await edited.edit("BETA", "zwei");
    await edited.accept();
    await holds("b.txt", "alpha\nzwei\n");
    // The rest of a script runs in the next turn.
    await callCommand(sandbox, "review", "after");
    cli.model.plan({ call: "wait", args: { cell_id: "2" } }, { text: "I have waited." });
    await cli.say("Go on");
    const question = "Would you like to make the following edits?";
    await cli.terminal.waitFor(question);
    await pressUntil(cli.terminal, "Enter", (screen) => !screen.includes(question));
    await cli.terminal.waitFor("I have waited.");
    const { text } = await cli.model.request("Script completed");
    expect(text).toContain("The user has changed your text of b.txt");
    expect(await read("late.txt")).toBe("late\n");
    const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
    expect(turns).toMatchObject([
      { title: "Change b.txt", changes: [{ path: sandbox.path("late.txt"), kind: "added" }] },
    ]);

    await callCommand(sandbox, "review", "before");
    await (await change("c.txt")).reject();
    await cli.terminal.waitFor("Rejected, and not written: c.txt.");
    expect(await askCodex(cli, "And now")).toContain("Rejected, and not written: c.txt.");
    expect(await read("c.txt")).toBe("alpha\nbeta\n");
  },
  { needs },
);

scenario(
  "in yolo mode Qwen Code waits a minute at most on the page, writes what its user accepts, and reads why not",
  async (sandbox) => {
    const read = async () => String(await sandbox.read("a.txt"));
    const path = await sandbox.write("a.txt", "alpha\nbeta\n");
    await writeSettings(sandbox, qwen, []);
    await callCommand(sandbox, "install", "--yes", "qwen");
    await callCommand(sandbox, "review", "before");
    const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    const cli = await startConnected(sandbox, qwen, {
      command: [...qwen.command, "--approval-mode", "yolo"],
      env: { PATH: `${await pathWithCommand(sandbox)}:${newerNode}` },
      settings: await readFile(join(sandbox.home, qwen.folder, "settings.json"), "utf8"),
    });
    const change = async (from: string, to: string) => {
      cli.model.plan({ call: "read_file", args: { file_path: path } }, qwen.replaceCall(path, from, to), {
        text: `The end of ${to}.`,
      });
      await cli.say(`Make it ${to}`);
      return page.proposal("a.txt", "Qwen Code");
    };
    const isDone = (to: string) => cli.terminal.waitFor(`The end of ${to}.`);
    const first = await change("beta", "BETA");
    expect(await read()).toBe("alpha\nbeta\n");
    await first.accept();
    await isDone("BETA");
    expect(await read()).toBe("alpha\nBETA\n");

    const second = await change("BETA", "gamma");
    await second.edit("gamma", "zwei");
    await second.accept();
    await isDone("gamma");
    expect(await read()).toBe("alpha\nzwei\n");
    await cli.model.request("Written with the user's changes, so read it again");

    await (await change("zwei", "delta")).reject();
    await isDone("delta");
    expect(await read()).toBe("alpha\nzwei\n");
    await cli.model.request("Rejected, and not written");

    const last = await change("zwei", "drei");
    await last.gone();
    await isDone("drei");
    expect(await read()).toBe("alpha\ndrei\n");
    const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
    expect(turns).toMatchObject([{ agent: "qwen", title: "Make it drei" }]);
  },
  { matrix: true },
);

scenario(
  "codex exec asks nobody: what it writes is recorded, also by a script's patch and command",
  async (sandbox) => {
    await sandbox.write("a.txt", "alpha\n");
    execFileSync("git", ["init", "-q"], { cwd: sandbox.workspace, env: sandbox.env });
    const update = ["*** Update File: a.txt", "@@", "-alpha", "+beta"];
    const byTool = await setUpUnasking(sandbox, unaskingCodex);
    await callCommand(sandbox, "review", "before");
    await startCompanion(sandbox);
    const changes = async () => JSON.parse(await callCommand(sandbox, "changes", "--json")).turns;
    await byTool.prompt("Change it", patchBy(...update), { text: "Done." });
    expect(await changes()).toMatchObject([{ agent: "codex", changes: [{ kind: "modified" }] }]);
    await callCommand(sandbox, "changes", "revert", "--yes");

    const byScript = await setUpUnasking(sandbox, unaskingCodexByScripts);
    const script = scriptOf([
      scriptedPatch(...update),
      'await tools.exec_command({ cmd: "echo >made.txt" });',
    ]);
    await byScript.prompt("Change it by a script", script, { text: "Done." });
    const written = [{ path: sandbox.path("a.txt") }, { path: sandbox.path("made.txt"), kind: "added" }];
    expect(await changes()).toMatchObject([{ title: "Change it by a script", changes: written }]);
  },
  { needs },
);
