import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { run } from "../../packages/testkit/src/run.ts";
import { proposals } from "../../scripts/pictures/sample.mjs";
import { startConnected } from "../harness/agent-cli.ts";
import { gemini } from "../harness/gemini.ts";
import { inWindow } from "../harness/integrated-terminal.ts";
import { startVscode } from "../harness/vscode.ts";
import { select } from "../harness/window-editor.ts";
import { inShop, pictures, proposeAsClaude, writeAsGemini } from "./shop.ts";

/** `node vscode.ts FOLDER`, on a Node that runs TypeScript: writes pictures of VS Code with the real Gemini CLI in it. */
const settings = {
  "workbench.colorTheme": "Default Dark Modern",
  "editor.minimap.enabled": false,
  "workbench.activityBar.location": "hidden",
  "window.commandCenter": false,
  "editor.fontSize": 13,
  "terminal.integrated.fontSize": 12,
};

await inShop(async (shop) => {
  const { sandbox, folder } = shop;
  await installGemini(sandbox.home);
  const viewport = { width: 1300, height: 1150 };
  const { window } = await startVscode(sandbox, { opens: folder, settings, viewport });
  const { page } = window;
  const picture = async (name: string) => {
    const path = join(pictures, `${name}.png`);
    await page.screenshot({ path });
    // A window of VS Code has few colours: the repository stays small.
    await run("convert", [path, "+dither", "-colors", "96", `PNG8:${path}`]);
  };
  const [, name, content] = proposals[0];
  const path = join(folder, name);

  await window.command("Welcome: Open Walkthrough...");
  await window.choose("Your agents in this editor");
  await window.command("View: Show IDE Companion");
  await page.getByRole("button", { name: "Run Gemini CLI" }).waitFor();
  await picture("vscode/start");
  await window.command("View: Close All Editors");
  await window.command("View: Show Explorer");

  await window.open(path);
  const cli = await startConnected(sandbox, gemini, {
    start: inWindow(window, "gemini", "Run Gemini CLI"),
    trusted: [folder],
  });
  await window.status.filter({ hasText: "Gemini CLI" }).waitFor();

  await select(window, "let sum = 0;");
  for (let line = 0; line < 3; line += 1) await page.keyboard.press("Shift+ArrowDown");
  cli.model.plan({ text: "It adds up prices whatever their currency, and always says EUR." });
  await cli.say("What is wrong with this?");
  await cli.terminal.waitFor("always says EUR.");
  await picture("vscode/selected");

  await cli.proposeWrite(path, content);
  await window.status.click();
  await page.locator(".codelens-decoration").getByRole("button", { name: "Viewed" }).first().click();
  await page.getByText(/1 of \d changes viewed/).waitFor();
  await picture("vscode/review");

  await window.action("Reject").click();
  await cli.terminal.waitFor(gemini.rejected);
  await cli.kill();
  await window.command("View: Toggle Panel Visibility");
  await proposeAsClaude(shop);
  await window.tab(`${basename(name)} (Claude Code)`).click();
  await page.locator(".codelens-decoration").getByRole("button", { name: "Viewed" }).first().waitFor();
  await picture("vscode/claude-code");

  await window.action("Reject").click();
  await window.open(path);
  await writeAsGemini(shop);
  await page.locator(".codelens-decoration").getByRole("button", { name: "Keep" }).first().waitFor();
  await window.command("IDE Companion: Focus on Written View");
  await picture("written/vscode");
});

/** Lays a program of its name where a shell of the user's finds it: nothing runs before the real one is there. */
async function installGemini(home: string): Promise<void> {
  await mkdir(join(home, "bin"));
  await writeFile(join(home, "bin", "gemini"), "");
  await writeFile(join(home, ".profile"), ". ~/.bashrc\n");
}
