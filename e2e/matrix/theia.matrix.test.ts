import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { CopilotClient, copilotLock } from "../../packages/testkit/src/fake-cli/copilot-cli.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { awaitedLater } from "../harness/awaited-later.ts";
import { editorScenarios } from "../harness/editor-scenarios.ts";
import { proposedSide } from "../harness/monaco.ts";
import { scenario } from "../harness/scenario.ts";
import { startTheia, theia, theiaNeeds, theiaTime } from "../harness/theia.ts";
import { lookAt } from "../harness/window-editor.ts";

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

/** Finds a companion by its lock file, as Copilot CLI does, and connects. */
async function connectFakeCopilot(sandbox: Sandbox): Promise<CopilotClient> {
  const folder = join(sandbox.home, ".copilot", "ide");
  const [name = ""] = await readdir(folder);
  return CopilotClient.connect(copilotLock({ discoveryFiles: [join(folder, name)] }));
}
