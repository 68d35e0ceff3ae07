import { startCompanion } from "./harness/companion.ts";
import { startFixture } from "./harness/fixture.ts";
import { companionScript } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal } from "./harness/terminal.ts";

scenario("watch tells in a terminal what happens, over the end of a companion", async (sandbox) => {
  const path = await sandbox.write("poem.txt", "roses\nviolets\n");
  const shell = await startTerminal(sandbox, { command: ["bash", "--norc"], env: { PS1: "ready> " } });
  await shell.waitFor("ready>");
  await shell.type(`${process.execPath} ${companionScript} watch\r`);
  await shell.waitFor("waiting for one");

  const { companion, page, cli } = await startFixture(sandbox, qwen);
  await shell.waitFor(/Companion {3}Review page on port \d+/);
  await shell.waitFor(/Qwen Code {3}connected/);
  await page.openFile("poem.txt");
  await page.select("violets");
  await shell.waitFor(/Context {5}1 file, poem\.txt:2:\d+, 7 characters selected/);
  await cli.proposeWriteAfterReading(path, "roses\ntulips\n");
  await shell.waitFor(/Qwen Code {3}proposes poem\.txt/);
  await (await page.proposal("poem.txt")).accept();
  await cli.finished();
  await shell.waitFor(/Qwen Code {3}accepted poem\.txt/);

  await companion.kill();
  await shell.waitFor(/gone\s[\s\S]*waiting for one/);
  await startCompanion(sandbox);
  await shell.waitFor(/gone\s[\s\S]*Review page on port \d+/);
  await shell.press("C-c");
  await shell.waitFor("ready>");
});

scenario("the review page goes on after Ctrl-Z and bg, and ends by Ctrl-C after fg", async (sandbox) => {
  const command = `${process.execPath} ${companionScript}`;
  const shell = await startTerminal(sandbox, { command: ["bash", "--norc"], env: { PS1: "ready> " } });
  await shell.waitFor("ready>");
  await shell.type(`${command} --no-open\r`);
  await shell.waitFor("Ctrl-C ends this");
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
  await shell.press("C-c");
  await shell.waitFor("ended with 130");
});
