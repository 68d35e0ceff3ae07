import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { CopilotClient, copilotLock } from "../../packages/testkit/src/fake-cli/copilot-cli.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { awaitedLater } from "../harness/awaited-later.ts";
import { editorScenarios } from "../harness/editor-scenarios.ts";
import { gemini } from "../harness/gemini.ts";
import { proposedSide } from "../harness/monaco.ts";
import { pressUntil } from "../harness/press-until.ts";
import { scenario } from "../harness/scenario.ts";
import { startTheia, theia, theiaNeeds, theiaTime } from "../harness/theia.ts";
import { setUpUnasking, unaskingGemini } from "../harness/unasking.ts";
import { lookAt } from "../harness/window-editor.ts";
import { writtenInEditors } from "../harness/written-in-editors.ts";

// The other ones are run in its own terminal.
editorScenarios(theia, { only: ["bytes", "environment"] });

scenario(
  "in Theia a change of an agent that takes no edits is read-only, and an own version is edited on request and not lost",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const { window } = await startTheia(sandbox);
    const { page } = window;
    const cli = await connectFakeCopilot(sandbox);
    const decided = awaitedLater(cli.openDiff(path, "first\n2nd\n"));
    const tab = window.tab("note.txt (Copilot CLI)");
    await tab.click();
    await page.getByText("Copilot CLI takes no edits").first().waitFor();
    await proposedSide(page).locator(".view-line").first().click();
    await page.keyboard.type("x");
    await page.getByText("Cannot edit in read-only editor").first().waitFor();
    await page.getByRole("button", { name: "Edit My Own Version" }).first().click();
    await page.getByText("After that your version is offered").first().waitFor();
    const own = await lookAt(window);
    await own.replace("2nd", "zwei");
    await own.accept();
    expect(await decided).toMatchObject({ result: "SAVED" });
    await tab.waitFor({ state: "detached" });
    await sandbox.write("note.txt", "first\n2nd\n");
    await page.getByRole("button", { name: "Show my edits" }).first().click();
    await page.locator(".view-line").filter({ hasText: "zwei" }).waitFor();
  },
  { needs: theiaNeeds, within: theiaTime },
);

writtenInEditors(unaskingGemini, [theia]);

scenario(
  "what Gemini CLI writes in yolo mode is shown by Theia's message, reverted above its line and in the list, and merged with an unsaved edit",
  async (sandbox) => {
    const lines = "one\ntwo\nthree\nfour\nfive\nsix\n";
    const [a, b] = [await sandbox.write("a.txt", lines), await sandbox.write("b.txt", lines)];
    const { window } = await startTheia(sandbox);
    const { page, tab, activeEditor } = window;
    const line = (text: string) => activeEditor.locator(".view-line").filter({ hasText: text });
    const isOnDisk = (name: string, text: string) =>
      eventually(async () => expect(String(await sandbox.read(name))).toBe(text));
    await window.open(a);
    const { prompt } = await setUpUnasking(sandbox, unaskingGemini);
    const review = awaitedLater(page.getByRole("button", { name: "Review", exact: true }).click());
    await prompt(
      "Change two files",
      ...[a, b].map((file_path) => ({ call: "read_file", args: { file_path } })),
      ...[a, b].map((path) => gemini.replaceCall(path, "four\n", "4th\n")),
      { text: "Both are done." },
    );
    await review;
    await tab("a.txt (Gemini CLI)").waitFor();
    await pressUntil(page, ["Alt+F5"], () => window.activeTab.filter({ hasText: "b.txt" }).isVisible(), 1000);
    await tab("a.txt").first().click();
    await page.locator(".codelens-decoration a").filter({ hasText: "Revert" }).click();
    await isOnDisk("a.txt", lines);
    await page
      .locator("[id='shell-tab-plugin-view-container:workbench.view.extension.ideCompanion']")
      .click();
    await page.locator(".theia-view-container-part-header").filter({ hasText: "Written" }).click();
    const row = page.locator(".theia-TreeNode").filter({ hasText: "b.txt" });
    await row.click();
    await tab("b.txt (Gemini CLI)").waitFor();
    await row.getByTitle("Revert What an Agent Wrote").click();
    await isOnDisk("b.txt", lines);

    await tab("a.txt").first().click();
    await line("three").click();
    await page.keyboard.type("mine: ");
    await prompt(
      "Change it once more",
      { call: "read_file", args: { file_path: a } },
      gemini.replaceCall(a, "six\n", "6th\n"),
      { text: "It is done." },
    );
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await line("6th").waitFor();
    await line("mine: ").waitFor();
  },
  { needs: theiaNeeds, within: theiaTime },
);

/** Finds a companion by its lock file, as Copilot CLI does, and connects. */
async function connectFakeCopilot(sandbox: Sandbox): Promise<CopilotClient> {
  const folder = join(sandbox.home, ".copilot", "ide");
  const [name = ""] = await readdir(folder);
  return CopilotClient.connect(copilotLock({ discoveryFiles: [join(folder, name)] }));
}
