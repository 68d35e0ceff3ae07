import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { type FakeCli, startFakeCli } from "./harness/fake-cli.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import type { VscodeWindow } from "./harness/vscode-window.ts";
import { lookAt } from "./harness/window-editor.ts";

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const text = (...changed: readonly number[]) =>
  `${lines.map((line, index) => (changed.includes(index + 1) ? `${line}, changed` : line)).join("\n")}\n`;

scenario(
  "VS Code lists all that waits with its size, goes through it by keys, decides all at once, says that sharing is paused, and that a CLI is not installed",
  async (sandbox) => {
    const one = await sandbox.write("src/one.txt", text());
    const two = await sandbox.write("two.txt", text());
    const { window } = await startVscode(sandbox);
    const { page, status } = window;
    const cli = await startFakeCli(sandbox);
    await window.open(one);
    await sent(cli, one);

    const outcomes = [cli.propose(one, text(3, 20)), cli.propose(two, text(5))];
    await status.filter({ hasText: "2 changes to review" }).waitFor();
    await window.command("IDE Companion: Focus on To Review View");
    const row = (name: string) => page.locator(".pane-body .monaco-list-row").filter({ hasText: name });
    await row("one.txt").filter({ hasText: "+2 −2 · Fake CLI" }).waitFor();
    await row("two.txt").filter({ hasText: "+1 −1 · Fake CLI" }).waitFor();
    await status.click();
    const picks = page.locator(".quick-input-list .monaco-list-row");
    await picks.filter({ hasText: "src/one.txt" }).filter({ hasText: "+2 −2" }).waitFor();
    await picks.filter({ hasText: "two.txt" }).filter({ hasText: "+1 −1" }).waitFor();
    await page.keyboard.press("Escape");

    // The agents know the file that is open, and nothing of proposals.
    await row("one.txt").click();
    await window.activeTab.filter({ hasText: "one.txt (Fake CLI)" }).waitFor();
    await proposedCursor(window);
    for (const line of [3, 20]) {
      await page.keyboard.press("Alt+F5");
      await page
        .locator(".statusbar-item")
        .filter({ hasText: `Ln ${line}, Col 1` })
        .waitFor();
    }
    await page.keyboard.press("Alt+F5");
    await window.activeTab.filter({ hasText: "two.txt (Fake CLI)" }).waitFor();
    await page.locator(".statusbar-item").filter({ hasText: "Ln 5, Col 1" }).waitFor();
    await chord(window, "PageUp");
    await window.activeTab.filter({ hasText: "one.txt (Fake CLI)" }).waitFor();
    await chord(window, "PageDown");
    await window.activeTab.filter({ hasText: "two.txt (Fake CLI)" }).waitFor();
    expect(openFiles(cli)).toEqual([one]);
    await status.hover();
    await page.locator(".workbench-hover").getByText("1 open file is shared.").waitFor();

    await window.command("IDE Companion: Pause Sharing");
    await status.filter({ hasText: "2 changes to review" }).filter({ hasText: "Sharing paused" }).waitFor();
    await page.keyboard.press("F1");
    await page.keyboard.insertText("IDE Companion: Sharing");
    await picks.filter({ hasText: "Resume Sharing" }).waitFor();
    expect(await picks.filter({ hasText: "Pause Sharing" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await window.command("IDE Companion: Resume Sharing");
    await status.filter({ hasNotText: "Sharing paused" }).waitFor();

    await window.tab("two.txt (Fake CLI)").click();
    await (await lookAt(window)).replace("line 5, changed", "line 5, edited");
    await row("two.txt").filter({ hasText: "with your edits" }).waitFor();
    await page.getByRole("button", { name: "Accept All Proposed Changes" }).click();
    const dialog = page.locator(".monaco-dialog-box").filter({ hasText: "Accept all 2 changes?" });
    await dialog.getByText("two.txt: +1 −1, Fake CLI, with your edits").waitFor();
    await dialog.getByRole("button", { name: "Accept all" }).click();
    expect(await Promise.all(outcomes)).toEqual([
      { kind: "accepted", content: text(3, 20) },
      { kind: "accepted", content: text().replace("line 5\n", "line 5, edited\n") },
    ]);
    await page.getByText("No change waits for your decision.").waitFor();

    const rejected = [cli.propose(one, text(1)), cli.propose(two, text(2)), cli.propose(two, text(3))];
    await status.filter({ hasText: "2 changes to review" }).waitFor();
    await row("one.txt").hover();
    await row("one.txt").getByRole("button", { name: "Reject Proposed Change" }).click();
    expect(await rejected[0]).toEqual({ kind: "rejected" });
    await status.filter({ hasText: "1 change to review" }).waitFor();
    await window.tab("two.txt (Fake CLI)").click();
    await proposedCursor(window);
    await chord(window, "Backspace");
    expect(await rejected[2]).toEqual({ kind: "rejected" });
    await ownEdits(cli, window, two);
    expect(String(await sandbox.read("two.txt"))).toBe(text().replace("line 9\n", "line 9, edited\n"));
    await withoutCli(sandbox, window);
  },
  { needs, within: 480_000 },
);

/** The user closes a change with edits, takes them from the notification to the file, and discards others. */
async function ownEdits(cli: FakeCli, window: VscodeWindow, path: string): Promise<void> {
  const { page } = window;
  const close = async () => {
    const outcome = cli.propose(path, text(9));
    const tab = window.tab("two.txt (Fake CLI)");
    await tab.click();
    await (await lookAt(window)).replace("line 9, changed", "line 9, edited");
    await tab.getByRole("button", { name: "Close" }).click();
    expect(await outcome).toEqual({ kind: "rejected" });
  };
  const notice = page
    .locator(".notification-toast")
    .filter({ hasText: "Your edits of two.txt are recovered. You closed the change, which rejected it." });
  const view = page.locator(".pane").filter({ hasText: "Recovered Edits" });
  await close();
  await notice.getByRole("button", { name: "Show my edits" }).click();
  const shown = window.tab("two.txt (your recovered edits)");
  await window.action("Discard Recovered Edits").click();
  const dialog = page.locator(".monaco-dialog-box").filter({ hasText: "Discard your edits of two.txt?" });
  await dialog.getByRole("button", { name: "Discard" }).click();
  await shown.waitFor({ state: "detached" });
  await view.waitFor({ state: "detached" });

  await close();
  await view.locator(".monaco-list-row").filter({ hasText: "two.txt" }).waitFor();
  await window.command("IDE Companion: Recovered Edits…");
  await window.choose("two.txt");
  await window.action("Restore Edits into the File").click();
  await shown.waitFor({ state: "detached" });
  await page.locator(".tab.active.dirty").filter({ hasText: "two.txt" }).waitFor();
  await page.keyboard.press("Control+s");
  await view.waitFor({ state: "detached" });
}

/** Run says that the CLI is not installed, types its command and leaves Enter to the user, all in one terminal. */
async function withoutCli(sandbox: Sandbox, { page, terminal, command }: VscodeWindow): Promise<void> {
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
}

/** In the right side of the diff, before its first line's changes. */
async function proposedCursor({ page }: VscodeWindow): Promise<void> {
  await page.locator(".modified-in-monaco-diff-editor .view-line").first().click();
  await page.keyboard.press("Control+Home");
}

async function chord({ page }: VscodeWindow, key: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.press(key);
}

const openFiles = ({ context }: FakeCli) => context?.workspaceState?.openFiles?.map(({ path }) => path);

/** The agent was sent this file as the active one. */
async function sent(cli: FakeCli, path: string): Promise<void> {
  await poll(`${path} sent`, () => (openFiles(cli)?.[0] === path ? true : undefined));
}
