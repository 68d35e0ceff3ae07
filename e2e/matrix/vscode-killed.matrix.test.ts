import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { startConnected } from "../harness/agent-cli.ts";
import { discoveryFiles } from "../harness/discovery-files.ts";
import { showOwnEdits } from "../harness/own-edits.ts";
import { proposers } from "../harness/proposer.ts";
import { qwen } from "../harness/qwen.ts";
import { scenario } from "../harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "../harness/vscode.ts";
import { lookAt } from "../harness/window-editor.ts";

for (const { agent, start } of [
  ...proposers,
  { agent: "Qwen Code", start: (sandbox: Sandbox) => startConnected(sandbox, qwen) },
]) {
  scenario(
    `after a VS Code that was killed over an open diff of ${agent}, the next one sweeps, offers the edits, and serves a CLI started again`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", "first\nsecond\n");
      const killed = await startVscode(sandbox);
      const cli = await start(sandbox);
      const title = `note.txt (${cli.displayName})`;
      await cli.proposeReplace(path, "second", "2nd");
      await killed.window.tab(title).click();
      await (await lookAt(killed.window)).replace("2nd", "zwei");
      await draftWritten(sandbox);
      const stale = await discoveryFiles(sandbox);
      await killed.server.kill();
      await killed.browser.close();

      const { window } = await startVscode(sandbox, { port: killed.server.port });
      expect(stale.filter((file) => existsSync(file))).toEqual([]);
      await showOwnEdits(window, "zwei");
      // The CLI itself takes no answer any more: its IDE has gone without a word.
      await cli.leave();
      const again = await start(sandbox);
      await again.proposeReplace(path, "second", "2nd");
      await window.tab(title).click();
      await (await lookAt(window)).accept();
      await again.accepted();
      expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
    },
    { needs, within: 600_000 },
  );
}

/** Edits go to disk a moment after the last key. */
async function draftWritten(sandbox: Sandbox): Promise<void> {
  const folder = join(sandbox.home, ".local", "state", "ide-companion", "edits");
  await poll(
    "the edits on disk",
    async () => existsSync(folder) && (await readdir(folder)).some((name) => name.endsWith(".json")),
  );
}
