import { startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { gemini } from "./harness/gemini.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";

chain(
  "a folder that VS Code does not trust is not trusted by its CLI either, until VS Code does",
  async (world) => {
    const { window } = await startVscode(world, { asksForTrust: true });
    const { page } = window;
    const restricted = page.getByRole("button", { name: /^Restricted Mode/ });
    await restricted.waitFor();
    // It had trusted the folder before, by its own settings.
    const cli = await startAgent(world, gemini);
    await cli.terminal.waitFor(/Workspace trust has changed[\s\S]*Press 'r' to restart/);
    await restricted.click();
    await page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
    await cli.terminal.type("r");
    await cli.connected();
  },
  { needs },
);
