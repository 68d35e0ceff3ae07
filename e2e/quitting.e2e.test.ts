import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { EditorKind } from "./harness/editor.ts";
import { emacs } from "./harness/emacs.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { helix } from "./harness/helix.ts";
import { kakoune } from "./harness/kakoune.ts";
import { neovim } from "./harness/neovim.ts";
import { plainNeovim } from "./harness/plain-neovim.ts";
import { scenario } from "./harness/scenario.ts";
import type { Terminal } from "./harness/terminal.ts";
import { vim } from "./harness/vim.ts";

/** How their users end them, whatever is unsaved. */
const ways: readonly (readonly [editor: EditorKind, quit: (terminal: Terminal) => Promise<void>])[] = [
  [neovim, (terminal) => command(terminal, "qa!")],
  [plainNeovim, (terminal) => command(terminal, "qa!")],
  [helix, (terminal) => command(terminal, "qa!")],
  [vim, (terminal) => command(terminal, "qa!")],
  [kakoune, (terminal) => command(terminal, "kill!")],
  [
    emacs,
    async (terminal) => {
      await terminal.press("Escape");
      await command(terminal, "save-buffers-kill-emacs", "x");
      await terminal.waitFor("exit anyway?");
      await command(terminal, "yes", "");
    },
  ],
];

for (const [editor, quit] of ways) {
  scenario(
    `${editor.name} that is quit under a proposal decides nothing about it`,
    async (sandbox) => {
      const path = await sandbox.write("a.txt", "before\n");
      const { terminal, proposal } = await editor.start(sandbox, [path]);
      const cli = await startFakeCli(sandbox);
      const outcome = cli.propose(path, "after\n");
      await proposal("a.txt");
      if (!terminal) throw new Error("it runs in no terminal");
      await quit(terminal);
      await terminal.exited();
      const decided = outcome.then(
        ({ kind }) => kind,
        () => "lost with its companion",
      );
      expect(await Promise.race([decided, delay(1000, "waits")])).not.toMatch(/accepted|rejected/);
    },
    { needs: editor.needs },
  );
}

async function command(terminal: Terminal, words: string, prompt = ":"): Promise<void> {
  await terminal.type(prompt + words);
  await terminal.press("Enter");
}
