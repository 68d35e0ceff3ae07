import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode, typeUntil } from "./harness/vscode.ts";
import { lookAt } from "./harness/window-editor.ts";

const lines = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const text = (...changed: readonly string[]) =>
  `${lines.map((line) => changed.find((other) => other.startsWith(line)) ?? line).join("\n")}\n`;

scenario(
  "a change in VS Code is decided by lenses, one by one, and by saving; unsaved edits are asked about first; it has its language's colours and adds no problems",
  async (sandbox) => {
    const path = await sandbox.write("numbers.txt", text());
    const { window } = await startVscode(sandbox);
    const { page } = window;
    const lens = (name: string) => page.locator(".codelens-decoration").getByRole("button", { name });
    const cli = await startAgent(sandbox, gemini);
    await cli.connected();
    const tab = window.tab("numbers.txt (Gemini CLI)");

    await cli.proposeWriteAfterReading(path, text("two, changed", "seven, changed"));
    // What VS Code shows when the mouse rests on a tab.
    expect(await tab.locator(".tab-label").getAttribute("aria-label")).toContain(path);
    await lens("Reject").click();
    await cli.terminal.waitFor(gemini.rejected);
    await tab.waitFor({ state: "detached" });
    expect(String(await sandbox.read("numbers.txt"))).toBe(text());

    await cli.proposeWriteAfterReading(path, text("two, changed", "seven, changed"));
    await lens("Viewed").first().click();
    await page.getByText("1 of 2 changes viewed").waitFor();
    await lens("Revert").last().click();
    await page.getByText("+1 −1").waitFor();
    await lens("Accept").click();
    await cli.finished();
    expect(String(await sandbox.read("numbers.txt"))).toBe(text("two, changed"));

    await window.open(path);
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("mine, unsaved: ");
    const coming = cli.proposeWriteAfterReading(path, text("two, changed", "seven, changed"));
    const typed = `mine, unsaved: ${await typeUntil(
      page,
      coming.then(() => tab.waitFor()),
    )}`;
    await page.locator(".view-line").filter({ hasText: typed }).waitFor();
    // It has come behind.
    await tab.click();
    const proposal = await lookAt(window);
    await proposal.accept();
    const dialog = page
      .locator(".monaco-dialog-box")
      .filter({ hasText: "numbers.txt has edits that you have not saved" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(String(await sandbox.read("numbers.txt"))).toBe(text("two, changed"));
    await page.keyboard.press("Control+s");
    await dialog.getByRole("button", { name: "Accept" }).click();
    await cli.finished();
    expect(String(await sandbox.read("numbers.txt"))).toBe(text("two, changed", "seven, changed"));
    await tab.waitFor({ state: "detached" });
    await page.locator(".view-line").filter({ hasText: typed }).waitFor();
    await page.locator(".tab.dirty").filter({ hasText: "numbers.txt" }).waitFor();

    // Its language has colours there, and no faults: those of the file alone are counted.
    const faulty = await sandbox.write("faulty.json", '{ "first": }\n');
    await cli.proposeWriteAfterReading(faulty, '{ "second": , }\n');
    await window.tab("faulty.json (Gemini CLI)").click();
    const proposed = page.locator(".modified-in-monaco-diff-editor .view-line");
    await proposed.locator("span[class*='mtk']").filter({ hasText: '"second"' }).waitFor();
    await page.locator(".original-in-monaco-diff-editor .squiggly-error").first().waitFor();
    await page
      .locator(".modified-in-monaco-diff-editor .squiggly-error")
      .first()
      .waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Errors: 1", exact: true }).waitFor();
  },
  { needs },
);
