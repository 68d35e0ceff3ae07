import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { findTmuxPane } from "./tmux-pane.ts";

const run = promisify(execFile);

/** A pane of a private tmux server, with a program that shows each byte as it comes. */
async function startPane(beforehand: string) {
  const tmux = ["-S", join(privateFolder(), "t"), "-f", "/dev/null"];
  const program = `${beforehand}; stty -icanon -echo; echo ready; exec cat -v`;
  const { stdout } = await run("tmux", [...tmux, "new-session", "-d", "-P", "-F", "#{pane_pid}", program]);
  onTestFinished(async () => void (await run("tmux", [...tmux, "kill-server"])));
  return eventually(async () => {
    const pane = await findTmuxPane(Number(stdout));
    if (!pane) throw new Error("no pane has the program");
    expect(await pane.screen()).toContain("ready");
    return pane;
  });
}

test("a text is one paste for a program that knows pastes, and no line break reaches another one, whatever tmux tells", async () => {
  const text = "Why é?\nSo, 2. \t{}";
  // tmux tells since 3.6 whether a program knows pastes.
  const { stdout } = await run("tmux", ["-V"]);
  const breaks = Number(/[\d.]+/.exec(stdout)?.[0]) >= 3.6 ? "\\n" : " ";
  const pasted = String.raw`Why M-CM-\)\?${breaks}So, 2\.\s+\{\}`;
  const knowing = await startPane(String.raw`printf '\033[?2004h'`);
  await knowing.paste(text);
  const expected = new RegExp(String.raw`^ready\n\^\[\[200~${pasted}\^\[\[201~\n`);
  await eventually(async () => expect(await knowing.screen()).toMatch(expected));
  const other = await startPane("true");
  await other.paste(text);
  await eventually(async () =>
    expect(await other.screen()).toMatch(/^ready\nWhy M-CM-\)\? So, 2\.\s+\{\}\n/),
  );
});
