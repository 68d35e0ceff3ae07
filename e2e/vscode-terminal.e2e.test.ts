import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startAgent } from "./harness/agent-cli.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { gemini } from "./harness/gemini.ts";
import { inWindow } from "./harness/integrated-terminal.ts";
import { modelReceives } from "./harness/model-receives.ts";
import { discardOwnEdits, showOwnEdits } from "./harness/own-edits.ts";
import { qwen } from "./harness/qwen.ts";
import { sharedVscode } from "./harness/shared-vscode.ts";
import { applySettings } from "./harness/vscode.ts";
import { lookAt, select } from "./harness/window-editor.ts";

const lines = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const text = (...changed: readonly string[]) =>
  `${lines.map((line) => changed.find((other) => other.startsWith(line)) ?? line).join("\n")}\n`;

const vscode = sharedVscode();

for (const kind of [gemini, qwen])
  vscode.scenario(
    `${kind.displayName} in VS Code's own terminal: a selection, a change reverted, an edit, a closed tab and Esc`,
    async (sandbox, window) => {
      // A repository that would like to choose what is run: VS Code must not even look.
      const chosen = { [`ideCompanion.${kind.name}.command`]: "touch chosen-by-repository" };
      await applySettings(sandbox, window, chosen);
      const path = await sandbox.write("numbers.txt", text());
      await window.open(path);
      const start = inWindow(window, kind.name, `Run ${kind.displayName}`);
      const cli = await startAgent(sandbox, kind, { start });
      await cli.connected();
      expect(await sandbox.read("chosen-by-repository")).toBeUndefined();
      await window.status.filter({ hasText: kind.displayName }).waitFor();
      await select(window, "four");
      expect(await modelReceives(cli, /\bfour\b/)).toContain(path);

      const tab = window.tab(`numbers.txt (${kind.displayName})`);
      await cli.proposeWriteAfterReading(path, text("two, changed", "seven, changed"));
      // It comes behind where the selection was made a moment ago.
      await tab.click();
      const proposal = await lookAt(window);
      await window.page.getByRole("button", { name: "Revert" }).first().click();
      await window.page.locator(".codelens-decoration").getByText("+1 −1").waitFor();
      await proposal.replace("seven, changed", "seven, edited");
      await proposal.accept();
      await cli.finished();
      expect(String(await sandbox.read("numbers.txt"))).toBe(text("seven, edited"));

      await cli.proposeWriteAfterReading(path, text("one, changed"));
      await tab.click();
      await tab.getByRole("button", { name: "Close" }).click();
      await tab.waitFor({ state: "detached" });
      // It waits on, in the terminal and here.
      await window.status.filter({ hasText: "1 change to review" }).click();
      await tab.waitFor();
      await (await lookAt(window)).reject();
      await cli.terminal.waitFor(kind.rejected);

      await cli.proposeWriteAfterReading(path, text("three, changed"));
      await tab.waitFor();
      await cli.cancelInTerminal();
      await tab.waitFor({ state: "detached" });
      expect(String(await sandbox.read("numbers.txt"))).toBe(text("seven, edited"));
    },
    { within: 480_000, matrix: kind === qwen },
  );

vscode.scenario(
  "VS Code offers the edits that Gemini CLI, killed in its terminal, has not read the acceptance of",
  async (sandbox, window) => {
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
    await showOwnEdits(window, "second, edited");
    expect(await sandbox.read("note.txt")).toBeUndefined();
    await discardOwnEdits(window, "note.txt");
  },
  { within: 600_000, matrix: true },
);

vscode.scenario(
  "VS Code's command to run a CLI that is not installed says so, types how to install it and leaves Enter to the user, all in one terminal",
  async (sandbox, { page, terminal, command }) => {
    const offer = page
      .locator(".notification-toast")
      .filter({ hasText: "The terminal does not find gemini: Gemini CLI is not installed" });
    const tries = async (count: number) => {
      const screen = await terminal.screen();
      return screen.split("gemini: command not found").length - 1 === count || undefined;
    };
    await command("IDE Companion: Run Gemini CLI");
    await offer.getByRole("button", { name: "Install…" }).click();
    await page.getByText("Press Enter in the terminal to install Gemini CLI.").first().waitFor();
    await poll("the command, not run", async () =>
      /npm install --global @google\/gemini-cli$/.test((await terminal.screen()).trim()) ? true : undefined,
    );
    await terminal.focus();
    await page.keyboard.press("Control+c");
    await command("IDE Companion: Run Gemini CLI");
    await poll("a second try in the same terminal", () => tries(2));

    const own = await sandbox.write("own-gemini", "#!/bin/sh\necho started by its path\n");
    await offer.getByRole("button", { name: "Set its path…" }).click();
    const input = page.locator(".quick-input-widget input[type=text]");
    await input.fill(`sh ${own}`);
    await page.keyboard.press("Enter");
    await poll("the one that was set", async () =>
      (await terminal.screen()).includes("\nstarted by its path") ? true : undefined,
    );
    await command("IDE Companion: Show Menu");
    const rows = page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Run Gemini CLI" }).waitFor();
    const texts = (await rows.allInnerTexts()).join("\n");
    expect(texts).toMatch(/Run Gemini CLI[\s\S]*Not in the PATH[\s\S]*Run Codex CLI/);
    await page.keyboard.press("Escape");
  },
);

vscode.scenario(
  "a reloaded window rejects what was open, offers the edits, and its CLIs are back by /ide enable",
  async (sandbox, window) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    await window.open(path);
    const [cli, other] = await Promise.all([startAgent(sandbox, gemini), startAgent(sandbox, qwen)]);
    await cli.connected();
    await other.connected();
    const port = await announcedPort(sandbox);
    await cli.proposeReplace(path, "second", "2nd");
    const tab = window.tab("note.txt (Gemini CLI)");
    await tab.click();
    await (await lookAt(window)).replace("2nd", "zwei");
    await other.proposeWrite(sandbox.path("other.txt"), "of the other\n");
    await window.tab("other.txt").waitFor();
    await window.reload();
    await tab.waitFor({ state: "detached" });
    await window.tab("other.txt").waitFor({ state: "detached" });
    await window.tab("note.txt").waitFor();
    await window.command("Notifications: Show Notifications");
    await window.page
      .locator(".notification-list-item")
      .filter({ hasText: "The window ended before you decided about" })
      .filter({ hasText: "note.txt (Gemini CLI), other.txt (Qwen Code)" })
      .waitFor();
    await window.page.getByRole("button", { name: "Show my edits" }).waitFor();
    // Nobody has answered it: the next window asks again.
    await window.reload();
    await showOwnEdits(window, "zwei");
    await cli.terminal.waitFor(gemini.rejected);
    await other.terminal.waitFor(qwen.rejected);
    expect(await sandbox.read("other.txt")).toBeUndefined();
    expect(String(await sandbox.read("note.txt"))).toBe("first\nsecond\n");
    await cli.disconnected();
    expect((await discoveryFiles(sandbox)).filter((file) => file.includes(port))).toEqual([]);
    for (const each of [cli, other]) await each.reconnected();
    await cli.proposeReplace(path, "second", "2nd");
    await tab.click();
    await (await lookAt(window)).accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
    await window.tab("note.txt (your recovered edits)").click();
    await discardOwnEdits(window, "note.txt");
  },
  { within: 480_000 },
);

/** The port that Gemini CLI receives. */
async function announcedPort(sandbox: Sandbox): Promise<string> {
  const names = (await discoveryFiles(sandbox)).join("\n");
  const port = /gemini-ide-server-\d+-(\d+)/.exec(names)?.[1];
  if (port === undefined) throw new Error(`no companion is announced: ${names}`);
  return port;
}
