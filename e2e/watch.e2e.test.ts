import { expect } from "vitest";
import { startCompanion } from "./harness/companion.ts";
import { startFixture } from "./harness/fixture.ts";
import { companionScript } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal } from "./harness/terminal.ts";

scenario(
  "watch shows in a terminal what happens, over the end of a companion, and gives it back",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "roses\nviolets\n");
    const shell = await startTerminal(sandbox, { command: ["bash", "--norc"], env: { PS1: "ready> " } });
    await shell.waitFor("ready>");
    await shell.type(`${process.execPath} ${companionScript} watch\r`);
    await shell.waitFor("Waiting for one …");

    const { companion, page, cli } = await startFixture(sandbox, qwen);
    await shell.waitFor(/Review page {2}port \d+/);
    await shell.waitFor("Qwen Code connected for");
    await page.openFile("poem.txt");
    await page.select("violets");
    await shell.waitFor(/▸ poem\.txt:2:\d+\s+Selected, 7 characters\s+│ violets/);
    await cli.proposeWriteAfterReading(path, "roses\ntulips\n");
    await shell.waitFor(/Waiting for a decision\s+poem\.txt {2}by Qwen Code, for \d+ s/);
    await (await page.proposal("poem.txt")).accept();
    await cli.finished();
    await shell.waitFor(/Lately\s+\d\d:\d\d:\d\d {2}accepted poem\.txt {2}by Qwen Code/);

    await companion.kill();
    await shell.waitFor("Waiting for one …");
    await startCompanion(sandbox);
    await shell.waitFor(/Review page {2}port \d+/);

    await shell.press("C-z");
    await shell.waitFor(/ready>[\s\S]*ready>/);
    await shell.type('fg; echo "ended with $?"\r');
    await shell.waitFor(/Review page {2}port \d+/);
    await shell.press("C-c");
    const screen = await shell.waitFor("ended with 130");
    expect(screen).toContain("ready>");
    await shell.type("stty -a | grep -o ' icanon'\r"); // typed keys are lines again
    await shell.waitFor(/^ icanon/m);
  },
);

scenario("the review page goes on after Ctrl-Z and bg, and takes keys again after fg", async (sandbox) => {
  const command = `${process.execPath} ${companionScript}`;
  const shell = await startTerminal(sandbox, { command: ["bash", "--norc"], env: { PS1: "ready> " } });
  await shell.waitFor("ready>");
  await shell.type(`${command} --no-open\r`);
  await shell.waitFor("q quits");
  await shell.press("C-z");
  await shell.waitFor(/Stopped[\s\S]*ready>/);
  await shell.type("bg\r");
  // What is typed in the shell is not for it.
  await shell.type(`${command} status\r`);
  await shell.waitFor("no CLI is connected");
  await shell.type("jobs\r");
  await shell.waitFor(/\[1\]\+ {2}Running/);
  await shell.type('fg; echo "ended with $?"\r');
  await shell.waitFor(/^\S+node\S* \S+ --no-open$/m);
  await shell.type("q");
  await shell.waitFor("ended with 0");
});
