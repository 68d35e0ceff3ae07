import { expect } from "vitest";
import { rejected, startConnectedClaude } from "../harness/claude.ts";
import { emacs } from "../harness/emacs.ts";
import { helix } from "../harness/helix.ts";
import { kakoune } from "../harness/kakoune.ts";
import { kate } from "../harness/kate.ts";
import { neovim } from "../harness/neovim.ts";
import { scenario } from "../harness/scenario.ts";
import { vim } from "../harness/vim.ts";
import { vscode } from "../harness/vscode.ts";

for (const kind of [neovim, vim, emacs, kakoune, helix, kate, vscode]) {
  scenario(
    `changes of Claude Code are reviewed in ${kind.name}, and it receives what is selected`,
    async (sandbox) => {
      const selected = await sandbox.write("selected.txt", "one\ntwo words here\n");
      const editor = await kind.start(sandbox, [selected]);
      const cli = await startConnectedClaude(sandbox);
      await editor.select("words");
      await cli.terminal.waitFor("1 line selected");
      await cli.say("Describe what you see");
      const { text } = await cli.model.request("The user selected the line");
      expect(text).toMatch(new RegExp(`from ${selected}:\\s+words\\s+This`));
      await cli.terminal.waitFor("Done.");

      const path = await sandbox.write("note.txt", "first\nsecond\nthird\n");
      await editor.open(path);
      await cli.proposeEdit(path, "second", "2nd");
      const accepted = await editor.proposal("note.txt");
      await accepted.replace("2nd", "zwei");
      await accepted.accept();
      await cli.finished();
      expect(cli.model.requests.at(-1)?.text).toContain("modified your proposed changes");
      expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\nthird\n");
      await editor.nothingWaits();

      await cli.proposeEdit(path, "third", "3rd");
      await (await editor.proposal("note.txt")).reject();
      await cli.terminal.waitFor(rejected);
      expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\nthird\n");
      await editor.nothingWaits();
    },
    { needs: kind.needs },
  );
}
