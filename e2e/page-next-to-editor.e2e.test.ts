import { expect } from "vitest";
import { poll } from "../packages/testkit/src/waiting.ts";
import { emacs } from "./harness/emacs.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { helix } from "./harness/helix.ts";
import { kakoune } from "./harness/kakoune.ts";
import { neovim } from "./harness/neovim.ts";
import { programInPath } from "./harness/path-to.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";
import { typeLine } from "./harness/terminal.ts";
import { vim } from "./harness/vim.ts";

for (const { kind, command, isOftenRun, showsComments } of [
  { kind: neovim, command: ":IdeCompanion page", isOftenRun: true, showsComments: true },
  { kind: vim, command: ":IdeCompanion page", showsComments: true },
  { kind: emacs, command: "\x1bxide-companion-page", showsComments: true },
  { kind: kakoune, command: ":ide-companion-page" },
  { kind: helix, command: ":lsp-workspace-command ide-companion.openPage" },
]) {
  scenario(
    `one change in ${kind.name} and on the page: what is typed in one is in the other, and a decision counts for both`,
    async (room) => {
      const sandbox = { ...room, env: { ...room.env, BROWSER: "xdg-open" } };
      await programInPath(sandbox, "xdg-open", ["sh", "-c", 'echo "$1" > link', "sh"]);
      const path = await sandbox.write("poem.txt", "one\ntwo\nthree\nfour\n");
      const editor = await kind.start(sandbox, [path]);
      const cli = await startFakeCli(sandbox);
      await cli.proposeReplace(path, "four", "4");
      const proposal = await editor.proposal("poem.txt");

      if (!editor.terminal) throw new Error("it has no terminal");
      await typeLine(editor.terminal, command);
      const link = await poll(
        "a link in the browser",
        async () => String((await sandbox.read("link")) ?? "") || undefined,
      );
      const page = await openReviewPage(sandbox, link.trim());
      const view = await page.proposal("poem.txt");
      await view.edit("two", "two, from the page");
      await editor.shows("two, from the page");
      await proposal.replace("three", "three, from the editor");
      await page.page.getByText("three, from the editor").first().waitFor();
      if (showsComments) {
        await page.page.getByRole("button", { name: "Comment on the change (C)" }).click();
        await page.page.keyboard.type("Why a 4?");
        await editor.terminal.waitFor("Why a 4?");
        await page.page.getByRole("button", { name: "Delete: Comment on the change" }).click();
      }

      await view.accept();
      await cli.accepted();
      expect(String(await sandbox.read("poem.txt"))).toBe(
        "one\ntwo, from the page\nthree, from the editor\n4\n",
      );
      await editor.nothingWaits();
    },
    { needs: kind.needs, matrix: !isOftenRun },
  );
}
