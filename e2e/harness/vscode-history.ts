import { expect } from "vitest";
import { startConnected } from "./agent-cli.ts";
import { gemini } from "./gemini.ts";
import { proposers } from "./proposer.ts";
import type { SharedVscode } from "./shared-vscode.ts";
import { pressUntil } from "./terminal.ts";
import type { VscodeWindow } from "./vscode-window.ts";
import { lookAt } from "./window-editor.ts";

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

/** What is decided in VS Code, afterwards: in its history, and at the agent. */
export function historyScenarios(vscode: SharedVscode): void {
  for (const { agent, matrix, start } of proposers)
    vscode.scenario(
      `the history of VS Code lists decisions of ${agent}, finds one, undoes it after the agent has changed the file again, and puts the user's version in again`,
      async (sandbox, window) => {
        const path = await sandbox.write("poem.txt", lines());
        const { page } = window;
        const cli = await start(sandbox);
        for (const number of [3, 28]) {
          await cli.proposeReplace(path, `line ${number}\n`, `changed ${number}\n`);
          const tab = window.tab(`poem.txt (${cli.displayName})`);
          await tab.click();
          const proposal = await lookAt(window);
          if (number === 3) await proposal.replace("changed 3", "mine 3");
          await proposal.accept();
          await cli.accepted();
          // The next one's has the same label.
          await tab.waitFor({ state: "detached" });
        }
        const both = lines({ 3: "mine 3", 28: "changed 28" });
        expect(String(await sandbox.read("poem.txt"))).toBe(both);

        await window.command("IDE Companion: Focus on History View");
        const rows = page.locator(".pane").filter({ hasText: "History" }).locator(".monaco-list-row");
        await rows
          .filter({ hasText: "poem.txt" })
          .filter({ hasText: "accepted with your edits, written" })
          .click();
        await window.activeTab.filter({ hasText: "poem.txt (past change)" }).waitFor();
        await shows(window, "mine 3");
        await window.action("Undo This Accepted Change…").click();
        await window.activeTab.filter({ hasText: "poem.txt (without this change)" }).waitFor();
        await shows(window, "changed 28");
        await shows(window, "line 3");
        expect(String(await sandbox.read("poem.txt")), "before the click").toBe(both);
        await window.action("Write the File as Shown").click();
        await page.getByText("The change of poem.txt is undone.").first().waitFor();
        expect(String(await sandbox.read("poem.txt"))).toBe(lines({ 28: "changed 28" }));

        await window.command("IDE Companion: History…");
        await page.locator(".quick-input-widget input[type=text]").fill("with your edits");
        await page
          .locator(".quick-input-list .monaco-list-row")
          .filter({ hasText: "poem.txt" })
          .first()
          .click();
        await window.action("Propose My Version Again…").click();
        await window.activeTab.filter({ hasText: "poem.txt (with this change)" }).waitFor();
        await sandbox.write("poem.txt", `new\n${lines({ 28: "changed 28" })}`);
        await window.action("Write the File as Shown").click();
        await page.getByText("The file has changed since you looked at it.").first().waitFor();
        await window.action("Write the File as Shown").click();
        await page.getByText("poem.txt contains this change now.").first().waitFor();
        expect(String(await sandbox.read("poem.txt"))).toBe(`new\n${both}`);
      },
      { matrix },
    );

  vscode.scenario(
    "a comment that is written in VS Code arrives in the next request of Gemini CLI's model",
    async (sandbox, window) => {
      const path = await sandbox.write("poem.txt", lines());
      const { page } = window;
      const cli = await startConnected(sandbox, gemini);
      await cli.proposeReplace(path, "line 3\n", "third\n");
      await window.tab("poem.txt (Gemini CLI)").click();
      await page.locator(".modified-in-monaco-diff-editor .view-line").filter({ hasText: "third" }).click();
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+n");
      await page.locator(".review-widget .monaco-editor.focused").waitFor();
      await page.keyboard.insertText("Why third?");
      await page.keyboard.press("Control+Enter");
      const asked = cli.model.requests.length;
      await page.locator(".codelens-decoration").getByRole("button", { name: "Reject and Say Why" }).click();
      await page.getByText("Your comments are in the prompt of Gemini CLI").first().waitFor();
      const sent = () => cli.model.requests.slice(asked).filter(({ text }) => text.includes("Why third?"));
      expect(sent(), "before Enter").toEqual([]);
      await pressUntil(cli.terminal, "Enter", () => sent().length > 0);
      // In one line where tmux does not tell of pastes.
      const words = sent()[0]?.text.replaceAll(/\s+/g, " ");
      expect(words).toContain(`@${path}:3 > third Why third?`);
      await cli.terminal.waitFor("Type your message");
      await cli.kill();
    },
    { matrix: true },
  );
}

/** In the right side of the diff in front. */
const shows = ({ page }: VscodeWindow, text: string) =>
  page
    .locator(".modified-in-monaco-diff-editor:visible .view-line")
    .filter({ hasText: text })
    .first()
    .waitFor();
