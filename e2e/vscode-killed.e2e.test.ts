import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startAgent } from "./harness/agent-cli.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { gemini } from "./harness/gemini.ts";
import { inWindow } from "./harness/integrated-terminal.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import type { VscodeWindow } from "./harness/vscode-window.ts";
import { lookAt } from "./harness/window-editor.ts";

for (const kind of [gemini, qwen]) {
  scenario(
    `after a VS Code that was killed over an open diff of ${kind.displayName}, the next one sweeps, offers the edits, and serves a CLI started again`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", "first\nsecond\n");
      const title = `note.txt (${kind.displayName})`;
      const killed = await startVscode(sandbox);
      const cli = await startAgent(sandbox, kind);
      await cli.connected();
      await cli.proposeReplace(path, "second", "2nd");
      await killed.window.tab(title).click();
      await (await lookAt(killed.window)).replace("2nd", "zwei");
      await draftWritten(sandbox);
      const stale = await discoveryFiles(sandbox);
      await killed.server.kill();
      await killed.browser.close();

      const { window } = await startVscode(sandbox, { port: killed.server.port });
      expect(stale.filter((file) => existsSync(file))).toEqual([]);
      await showsOwnEdits(window, "zwei");
      // The CLI itself takes no answer any more: its IDE has gone without a word.
      await cli.kill();
      const again = await startAgent(sandbox, kind);
      await again.connected();
      await again.proposeReplace(path, "second", "2nd");
      await window.tab(title).click();
      await (await lookAt(window)).accept();
      await again.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
    },
    { needs, within: 600_000, matrix: kind === qwen },
  );
}

scenario(
  "VS Code offers the edits that Gemini CLI, killed in its terminal, has not read the acceptance of",
  async (sandbox) => {
    const { window } = await startVscode(sandbox);
    const start = inWindow(window, gemini.name, "Run Gemini CLI");
    const cli = await startAgent(sandbox, gemini, { start });
    await cli.connected();
    await cli.proposeWrite(sandbox.path("note.txt"), "first\nsecond\n");
    const tab = window.tab("note.txt (Gemini CLI)");
    await tab.click();
    const proposal = await lookAt(window);
    await proposal.replace("second", "second, edited");
    await cli.standStill();
    await proposal.accept();
    await tab.waitFor({ state: "detached" });
    await cli.kill();
    await showsOwnEdits(window, "second, edited");
    expect(await sandbox.read("note.txt")).toBeUndefined();
  },
  { needs, within: 600_000 },
);

/** The user takes the offer of edits that no file holds. */
async function showsOwnEdits({ page }: VscodeWindow, text: string): Promise<void> {
  await page.getByRole("button", { name: "Show my edits" }).click();
  await page.locator(".modified-in-monaco-diff-editor .view-line").filter({ hasText: text }).waitFor();
}

/** Edits go to disk a moment after the last key. */
async function draftWritten(sandbox: Sandbox): Promise<void> {
  const folder = join(sandbox.home, ".local", "state", "ide-companion", "edits");
  await poll("the edits on disk", async () =>
    existsSync(folder) && (await readdir(folder)).some((name) => name.endsWith(".json")) ? true : undefined,
  );
}
