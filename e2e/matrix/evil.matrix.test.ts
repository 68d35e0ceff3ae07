import { expect } from "vitest";
import { startConnected } from "../harness/agent-cli.ts";
import { inVersion } from "../harness/editor.ts";
import { attachEmacs, emacsCommand, inSelected, packageConfig, quote } from "../harness/emacs.ts";
import { gemini } from "../harness/gemini.ts";
import { evil, newerEmacs } from "../harness/installed.ts";
import { scenario } from "../harness/scenario.ts";
import { startTerminal, typeLine } from "../harness/terminal.ts";

// Evil advises functions in C, for which Emacs would start a compiler: an unpacked one finds none of its files.
const config = `
(setq native-comp-enable-subr-trampolines nil)
(dolist (folder '(${evil.folders.map(quote).join(" ")}))
  (add-to-list 'load-path folder))
(require 'evil)
(evil-mode 1)
${packageConfig}`;

scenario(
  "Evil in the newest Emacs accepts by :wq what its user has typed, and has the keys of the list",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\nthird\n");
    const { socket, ...start } = await emacsCommand(sandbox, config, [path]);
    const terminal = await startTerminal(sandbox, inVersion(start, newerEmacs));
    const editor = await attachEmacs(sandbox, terminal, socket);
    const cli = await startConnected(sandbox, gemini);

    await cli.proposeReplace(path, "second", "2nd");
    await editor.proposal("note.txt");
    await terminal.type("ggcwzero\x1b");
    await editor.until("the normal state", inSelected("(evil-normal-state-p)"));
    await typeLine(terminal, ":wq");
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("zero\n2nd\nthird\n");
    await editor.nothingWaits();

    await cli.proposeReplace(path, "third", "3rd");
    await editor.proposal("note.txt");
    await typeLine(terminal, "\x1bxide-companion-proposals");
    await terminal.waitFor("x rejects");
    // In Emacs, k would reject it.
    await terminal.type("k");
    await terminal.waitFor("Beginning of buffer");
    await terminal.type("x");
    await cli.terminal.waitFor(gemini.rejected);
  },
  { needs: { "the newest Emacs": newerEmacs.program, Evil: evil.program } },
);
