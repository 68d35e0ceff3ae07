import { expect } from "vitest";
import { awaitedLater } from "./harness/awaited-later.ts";
import type { EditorKind } from "./harness/editor.ts";
import { emacs } from "./harness/emacs.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { helix } from "./harness/helix.ts";
import { kakoune } from "./harness/kakoune.ts";
import { neovim } from "./harness/neovim.ts";
import { plainNeovim } from "./harness/plain-neovim.ts";
import { scenario } from "./harness/scenario.ts";
import { type Terminal, typeLine } from "./harness/terminal.ts";
import { vim } from "./harness/vim.ts";

/** How their users end them, whatever is unsaved. */
const ways: readonly (readonly [editor: EditorKind, quit: (terminal: Terminal) => Promise<void>])[] = [
  [neovim, (terminal) => typeLine(terminal, ":qa!")],
  [plainNeovim, (terminal) => typeLine(terminal, ":qa!")],
  [helix, (terminal) => typeLine(terminal, ":qa!")],
  [vim, (terminal) => typeLine(terminal, ":qa!")],
  [kakoune, (terminal) => typeLine(terminal, ":kill!")],
  [
    emacs,
    async (terminal) => {
      await terminal.press("Escape");
      await typeLine(terminal, "xsave-buffers-kill-emacs");
      await terminal.waitFor("exit anyway?");
      await typeLine(terminal, "yes");
    },
  ],
];

for (const [editor, quit] of ways) {
  scenario(
    `${editor.name} that is quit under a proposal leaves it to the next one`,
    async (sandbox) => {
      const path = await sandbox.write("a.txt", "before\n");
      const { terminal, proposal } = await editor.start(sandbox, [path]);
      if (!terminal) throw new Error("it runs in no terminal");
      const cli = await startFakeCli(sandbox);
      const outcome = cli.propose(path, "after\n");
      await proposal("a.txt");
      await quit(terminal);
      await terminal.exited();
      const next = await editor.start(sandbox, [path]);
      const shownAgain = awaitedLater(next.proposal("a.txt").then(() => "shown by the next one"));
      const decided = outcome.then(({ kind }) => kind);
      expect(await Promise.race([shownAgain, decided])).toBe("shown by the next one");
    },
    { needs: editor.needs },
  );
}
