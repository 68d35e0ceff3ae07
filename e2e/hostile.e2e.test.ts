import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { safeName } from "../packages/companion/src/files/safe-text.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { awaitedLater } from "./harness/awaited-later.ts";
import { type EditorKind, pathWithCommand } from "./harness/editor.ts";
import { emacs } from "./harness/emacs.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { helix } from "./harness/helix.ts";
import { kakoune } from "./harness/kakoune.ts";
import { kate } from "./harness/kate.ts";
import { startMcpClient } from "./harness/mcp-client.ts";
import { neovim } from "./harness/neovim.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal } from "./harness/terminal.ts";
import { vim } from "./harness/vim.ts";

/** Names the window, as every terminal lets programs do, and turns the reading direction. */
const steering = "\x1b]2;steered\x07\u202e";
/** Runs `bait` wherever it is more than a text: in a shell, in Kakoune, in Vim's lines of status. */
const commands = `'"|$(bait)\`bait\`%sh{bait}%{system('bait')}`;
const hostileName = `a${steering}${commands}\n:!bait\n.txt`;
/** The same in the words of files: what Vim and Emacs read there of their options. */
const text = (line: string) => `-*- mode: sh; eval: (call-process "bait") -*-
${steering}${commands} ${line}
last
# vim: set foldmethod=expr foldexpr=system('bait') statusline=%!system('bait') :
# Local Variables:
# eval: (call-process "bait")
# End:
`;

const repository: Readonly<Record<string, string>> = {
  "cloned/.dir-locals.el": '((nil . ((eval . (call-process "bait")) (ide-companion-command . ("bait")))))',
  ".exrc": "!bait",
  ".nvim.lua": "os.execute('bait')",
};

interface HostileFile {
  /** The editor opens files for agents. */
  readonly opensFiles?: boolean;
  /** Shows what steers terminals in the review page. */
  readonly cannotHold?: boolean;
  /** Of the file. */
  readonly name?: string;
  /** Enough of the name to know the proposal by. */
  readonly shownAs?: string;
}

function hostileScenario(kind: EditorKind, file: HostileFile = {}): void {
  const { opensFiles = false, cannotHold = false, name = hostileName, shownAs = safeName(name) } = file;
  scenario(
    `a hostile repository and a hostile agent run nothing in ${kind.name}, and steer nothing`,
    async (sandbox) => {
      const caught = await layBait(sandbox);
      for (const [file, content] of Object.entries(repository)) await sandbox.write(file, content);
      const path = await sandbox.write(`cloned/${name}`, text("as it was"));
      const editor = await kind.start(sandbox, [await sandbox.write("open.txt", "open\n")]);
      const agent = await startMcpClient(sandbox, `Agent ${steering}${commands}`);
      if (opensFiles) await agent.call("openFile", { filePath: path, line: 2 });
      const proposed = text("as proposed");
      const newContent = cannotHold ? proposed.replaceAll("\x1b", "").replaceAll("\x07", "") : proposed;
      const outcome = awaitedLater(agent.call("openDiff", { filePath: path, newContent, write: true }));
      const shown = editor.proposal(shownAs);
      // Why it cannot be shown, the agent hears.
      await Promise.race([shown, outcome]);
      const proposal = await shown;
      await proposal.replace("last", "seen");
      const title = await editor.terminal?.title?.();
      await proposal.accept();
      await outcome;
      expect(await sandbox.read(`cloned/${name}`)).toEqual(Buffer.from(newContent.replace("last", "seen")));
      expect([title, await editor.terminal?.title?.()]).not.toContain("steered");
      expect(await caught()).toBeUndefined();
    },
    { needs: kind.needs },
  );
}

hostileScenario(neovim, { opensFiles: true });
hostileScenario(vim, { opensFiles: true });
hostileScenario(emacs, { opensFiles: true, shownAs: hostileName });
// Where a regular expression would end its quotation.
hostileScenario(kakoune, { name: `\\E${hostileName}` });
// Its keys come first, so that the end of the line cuts the name.
hostileScenario(helix, { cannotHold: true, shownAs: safeName(hostileName).slice(0, 9) });
hostileScenario(kate);

scenario(
  "the edits of a file with a hostile name run nothing when Kakoune compares them with it",
  async (sandbox) => {
    const caught = await layBait(sandbox);
    const path = await sandbox.write(hostileName, "first\nlast\n");
    const editor = await kakoune.start(sandbox, [await sandbox.write("open.txt", "open\n")]);
    const agent = await startFakeCli(sandbox);
    await agent.proposeReplace(path, "first", "1st");
    await (await editor.proposal(safeName(hostileName))).replace("last", "seen");
    await agent.leave();
    await editor.terminal.waitFor("Your text is not in ");
    await editor.command("ide-companion-edits");
    await editor.terminal.waitFor("Fake CLI ended");
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor(/\+seen[\s\S]*:ide-companion-act/);
    expect(await caught()).toBeUndefined();
  },
  { needs: kakoune.needs },
);

scenario("the bait is taken by a shell, and a terminal is steered", async (sandbox) => {
  const caught = await layBait(sandbox);
  const env = { PATH: await pathWithCommand(sandbox) };
  // What is typed would be echoed before the shell runs anything.
  const script = `printf %s '${steering}'; bait; echo done; exec cat`;
  const terminal = await startTerminal(sandbox, { command: ["sh", "-c", script], env });
  await terminal.waitFor("done");
  expect(await terminal.title?.()).toBe("steered");
  expect(await caught()).toBe("bait\n");
});

/** Lays a program `bait` next to our command. @returns tells what it has written, once it was run */
async function layBait(sandbox: Sandbox): Promise<() => Promise<string | undefined>> {
  await pathWithCommand(sandbox);
  const bait = join(sandbox.home, "bin", "bait");
  await writeFile(bait, `#!/bin/sh\necho bait >> "${sandbox.path("caught")}"\n`);
  await chmod(bait, 0o755);
  return async () => (await sandbox.read("caught"))?.toString();
}
