import { companionScript } from "./harness/installed.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal } from "./harness/terminal.ts";

scenario("the review page goes on after Ctrl-Z and bg, and ends by Ctrl-C after fg", async (sandbox) => {
  const command = `${process.execPath} ${companionScript}`;
  const shell = await startTerminal(sandbox, { command: ["bash", "--norc"], env: { PS1: "ready> " } });
  await shell.waitFor("ready>");
  await shell.type(`${command} --no-open\r`);
  await shell.waitFor("Ctrl-C ends this");
  await shell.press("C-z");
  await shell.waitFor(/Stopped[\s\S]*ready>/);
  await shell.type("bg\r");
  // Words typed in the shell are not for the companion.
  await shell.type(`${command} status\r`);
  await shell.waitFor("no CLI is connected");
  await shell.type("jobs\r");
  await shell.waitFor(/\[1\]\+ {2}Running/);
  await shell.type('fg; echo "ended with $?"\r');
  await shell.waitFor(/^\S+node\S* \S+ --no-open$/m);
  await shell.press("C-c");
  await shell.waitFor("ended with 130");
});
