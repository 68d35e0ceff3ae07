import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import { lookAt } from "./harness/window-editor.ts";

const mark = "\uFEFF";
const many = "a line of 50 characters, which stands here often .\n".repeat(100_000);

/** Name and content of files in which `old` becomes `new`, then `newer` by the user's hand. */
const files: readonly (readonly [name: string, content: string])[] = [
  ["mark.txt", `${mark}first\nold\nlast\n`],
  ["mark-crlf.txt", `${mark}first\r\nold\r\nlast`],
  ["five-megabytes.txt", `first\nold\n${many}`],
];

for (const kind of [gemini, qwen]) {
  scenario(
    `byte order marks, CRLF and 5 MB survive a review of ${kind.displayName} in VS Code`,
    async (sandbox) => {
      const { window } = await startVscode(sandbox);
      const cli = await startAgent(sandbox, kind);
      await cli.connected();
      for (const [name, content] of files) {
        const path = await sandbox.write(name, content);
        await cli.proposeReplace(path, "old", "new");
        const tab = window.tab(`${name} (${kind.displayName})`);
        await tab.click();
        const proposal = await lookAt(window);
        await proposal.replace("new", "newer");
        await proposal.accept();
        await tab.waitFor({ state: "detached" });
        await cli.finished();
        const isExact = String(await sandbox.read(name)) === content.replace("old", "newer");
        expect(isExact, name).toBe(true);
      }
    },
    { needs, within: 480_000, matrix: kind === qwen },
  );
}
