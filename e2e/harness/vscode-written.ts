import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { gemini } from "./gemini.ts";
import { callCommand } from "./installation.ts";
import type { SharedVscode } from "./shared-vscode.ts";
import { setUpUnasking, unaskingGemini } from "./unasking.ts";

const text = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

/** What agents write without asking, in VS Code. The last scenario of its window: it leaves a record and a review mode. */
export function writtenScenarios(vscode: SharedVscode): void {
  vscode.scenario(
    "what Gemini CLI writes in yolo mode is marked in VS Code's own files, kept and reverted there, and listed by turn",
    async (sandbox, window) => {
      const [a, b] = [await sandbox.write("a.txt", text()), await sandbox.write("b.txt", text())];
      const { page, command, tab, activeTab } = window;
      await window.open(a);
      const { prompt, goOn } = await setUpUnasking(sandbox, unaskingGemini);
      const toast = page
        .locator(".notification-toast")
        .filter({ hasText: "Gemini CLI changed 2 files: +3 −3" });
      // It hides again, and the CLI takes a while to end.
      const review = toast.getByRole("button", { name: "Review" }).click();
      await prompt(
        "Change two files",
        { call: "read_file", args: { file_path: a } },
        { call: "read_file", args: { file_path: b } },
        gemini.replaceCall(a, "line 3\n", "third\n"),
        gemini.replaceCall(a, "line 9\n", "ninth\n"),
        gemini.replaceCall(b, "line 5\n", "5th\n"),
        { text: "Both are done." },
      );
      await review;
      await activeTab.filter({ hasText: "Change two files" }).waitFor();
      for (const line of ["third", "line 3", "5th"])
        await page.locator(".view-line").filter({ hasText: line }).first().waitFor();
      await tab("a.txt").click();
      const lens = (name: string) =>
        window.activeEditor.locator(".codelens-decoration a").filter({ hasText: name });
      await lens("Gemini CLI, +1 −1").first().waitFor();
      expect(await lens("Keep").count()).toBe(2);
      expect(await window.activeEditor.locator(".glyph-margin-widgets .cgmr").count()).toBe(2);
      const stands = (line: number) =>
        page
          .locator(".statusbar-item")
          .filter({ hasText: `Ln ${line}, Col 1` })
          .waitFor();
      for (const line of [3, 9]) {
        await page.keyboard.press("Alt+F5");
        await stands(line);
      }
      await page.keyboard.press("Alt+F5");
      await activeTab.filter({ hasText: "b.txt" }).waitFor();
      await stands(5);
      await page.keyboard.press("Shift+Alt+F5");
      await activeTab.filter({ hasText: "a.txt" }).waitFor();
      await stands(9);
      await lens("Keep").first().click();
      await stands(9);
      await eventually(async () => expect(await lens("Keep").count()).toBe(1));
      await command("IDE Companion: Revert What an Agent Wrote");
      await activeTab.filter({ hasText: "b.txt" }).waitFor();
      await stands(5);
      expect(String(await sandbox.read("a.txt"))).toBe(text({ 3: "third" }));
      await window.goTo(":9");
      await stands(9);
      await page.keyboard.press("Alt+F5");
      await stands(5);
      await command("IDE Companion: Focus on Written View");
      const row = page.locator(".pane-body .monaco-list-row").filter({ hasText: "b.txt" });
      await row.filter({ hasText: "+1 −1" }).click();
      await activeTab.filter({ hasText: "b.txt (Gemini CLI)" }).waitFor();
      await row.hover();
      await row.getByRole("button", { name: "Revert What an Agent Wrote" }).click();
      await eventually(async () => expect(String(await sandbox.read("b.txt"))).toBe(text()));
      await eventually(async () =>
        expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] }),
      );

      // The agent writes what the user is editing.
      await tab("a.txt").click();
      await activeTab.filter({ hasText: "a.txt" }).waitFor();
      await window.goTo(":1");
      await page.keyboard.insertText("mine: ");
      await page.locator(".tab.dirty").filter({ hasText: "a.txt" }).waitFor();
      await prompt(
        "Change one more line of each",
        { call: "read_file", args: { file_path: a } },
        { call: "read_file", args: { file_path: b } },
        gemini.replaceCall(a, "line 20\n", "20th\n"),
        gemini.replaceCall(b, "line 7\n", "7th\n"),
        { text: "It is done." },
      );
      const unread = page.locator('.monaco-list-row[aria-label*="not looked at"]');
      await unread.filter({ hasText: "b.txt" }).waitFor();
      expect(await unread.count()).toBe(1);
      await page
        .locator(".notification-toast")
        .filter({ hasText: "Gemini CLI has written a.txt, which has edits that you have not saved." })
        .getByRole("button", { name: "Merge" })
        .click();
      await window.activeEditor.locator(".view-line").filter({ hasText: "20th" }).waitFor();
      await window.activeEditor.locator(".view-line").filter({ hasText: "mine: line 1" }).waitFor();
      await page.keyboard.press("Control+s");
      const both = text({ 1: "mine: line 1", 3: "third", 20: "20th" });
      await eventually(async () => expect(String(await sandbox.read("a.txt"))).toBe(both));

      // The user saves what an agent's command may have changed.
      const waiting = "touch ../runs; until [ -e ../saved ]; do sleep 0.1; done";
      const watching = goOn(
        "Watch it",
        { call: "run_shell_command", args: { command: waiting, is_background: false } },
        { text: "I have seen it." },
      );
      await eventually(async () => expect(await sandbox.read("../runs")).toBeDefined());
      await window.goTo(":28");
      await page.keyboard.insertText("own ");
      await page.keyboard.press("Control+s");
      await eventually(async () => expect(String(await sandbox.read("a.txt"))).toContain("own line 28"));
      await sandbox.write("../saved", "");
      await watching;
      const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
      expect(turns).toMatchObject([{ changes: [{ path: a, added: 1, removed: 1 }, { path: b }] }]);

      await command("IDE Companion: Review Before or After Agents Write…");
      await window.choose("Each agent asks you");
      const reviewed = async () => JSON.parse(await callCommand(sandbox, "review", "--json")).agents[0].mode;
      await eventually(async () => expect(await reviewed()).toBe("before"));
    },
  );
}
