import { startAgent } from "./harness/agent-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";

scenario(
  "a folder that VS Code does not trust is not trusted by its CLIs either, until VS Code does",
  async (sandbox) => {
    const { window } = await startVscode(sandbox, { asksForTrust: true });
    const { page } = window;
    const restricted = page.getByRole("button", { name: /^Restricted Mode/ });
    await restricted.waitFor();
    // They had trusted the folder before, by their own settings.
    const clis = await Promise.all(
      [gemini, qwen].map((kind) => startAgent(sandbox, kind, { relaunches: true })),
    );
    for (const { terminal } of clis) await terminal.waitFor(/trust has changed[\s\S]*Press 'r' to restart/);
    await restricted.click();
    await page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
    for (const cli of clis) {
      await cli.terminal.type("r");
      await cli.connected();
    }
  },
  { needs },
);
