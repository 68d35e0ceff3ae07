import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { insist, poll } from "../packages/testkit/src/waiting.ts";
import { type FakeCli, startFakeCli } from "./harness/fake-cli.ts";
import { discardOwnEdits } from "./harness/own-edits.ts";
import { pressUntil } from "./harness/press-until.ts";
import { proposers } from "./harness/proposer.ts";
import { sharedVscode } from "./harness/shared-vscode.ts";
import { applySettings, typeUntil } from "./harness/vscode.ts";
import { historyScenarios } from "./harness/vscode-history.ts";
import type { VscodeWindow } from "./harness/vscode-window.ts";
import { writtenScenarios } from "./harness/vscode-written.ts";
import { lookAt } from "./harness/window-editor.ts";

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const text = (...changed: readonly number[]) =>
  `${lines.map((line, index) => (changed.includes(index + 1) ? `${line}, changed` : line)).join("\n")}\n`;

const vscode = sharedVscode();

/** A row shows its buttons under the pointer, and may move away from it when the list changes. */
async function clickIn(row: Locator, name: string): Promise<void> {
  const button = row.getByRole("button", { name });
  await insist(
    `button ${name}`,
    () => row.hover(),
    () => button.isVisible(),
    { again: 1000 },
  );
  await button.click();
}

vscode.scenario(
  "VS Code lists all that waits with its size, goes through it by keys, decides all at once, and says that sharing is paused",
  async (sandbox, window) => {
    const one = await sandbox.write("src/one.txt", text());
    const two = await sandbox.write("two.txt", text());
    const { page, status } = window;
    const cli = await startFakeCli(sandbox);
    await window.open(one);
    await sent(cli, one);

    const outcomes = [cli.propose(one, text(3, 20)), cli.propose(two, text(5))];
    await status.filter({ hasText: "2 changes to review" }).waitFor();
    await window.command("IDE Companion: Focus on To Review View");
    const row = (name: string) => page.locator(".pane-body .monaco-list-row").filter({ hasText: name });
    await row("one.txt").filter({ hasText: "+2 −2" }).waitFor();
    await row("two.txt").filter({ hasText: "+1 −1" }).waitFor();
    // Both came at once: what is in front is what is to be decided first.
    const first = await row(".txt").first().locator(".label-name").textContent();
    await window.activeTab.filter({ hasText: `${first} (Fake CLI)` }).waitFor();
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
    const unread = page.locator('.monaco-list-row[aria-label*="not looked at"]');
    await unread.filter({ hasText: "two.txt" }).waitFor();
    expect(await unread.count()).toBe(1);
    await page.keyboard.press("Alt+F5");
    await window.activeTab.filter({ hasText: "two.txt (Fake CLI)" }).waitFor();
    await unread.waitFor({ state: "detached" });
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
    await row("two.txt").hover(); // shows the buttons of the view
    await page.getByRole("button", { name: "Accept All Proposed Changes" }).click();
    const dialog = page.locator(".monaco-dialog-box").filter({ hasText: "Accept all 2 changes?" });
    await dialog.getByText("two.txt: +1 −1, Fake CLI, with your edits").waitFor();
    await dialog.getByRole("button", { name: "Accept all" }).click();
    expect(await Promise.all(outcomes)).toEqual([
      { kind: "accepted", content: text(3, 20) },
      { kind: "accepted", content: text().replace("line 5\n", "line 5, edited\n") },
    ]);
    await page.getByText("No change waits for your decision.").waitFor();

    const rejected = [cli.propose(one, text(1)), cli.propose(two, text(2)), cli.propose(two, text(3, 20))];
    await status.filter({ hasText: "2 changes to review" }).waitFor();
    // A list that changes under the pointer loses the click.
    await row("two.txt").filter({ hasText: "+3 −3" }).waitFor();
    await clickIn(row("one.txt"), "Reject Proposed Change");
    expect(await rejected[0]).toEqual({ kind: "rejected" });
    await status.filter({ hasText: "1 change to review" }).waitFor();
    await window.tab("two.txt (Fake CLI)").click();
    await proposedCursor(window);
    await chord(window, "Backspace");
    expect(await rejected[2]).toEqual({ kind: "rejected" });
    await ownEdits(cli, window, two);
    expect(String(await sandbox.read("two.txt"))).toBe(text().replace("line 9\n", "line 9, edited\n"));
  },
);

vscode.scenario(
  "VS Code lists by turn, accepts the rest of a turn ahead up to files that the user names, says so, and stops by a click",
  async (sandbox, window) => {
    const { page, status } = window;
    const cli = await startFakeCli(sandbox);
    const rows = page.locator(".pane-body .monaco-list-row");
    const propose = (name: string) => cli.propose(sandbox.path(name), "new\n");
    const outcomes = [propose("one.txt"), propose("two.txt")];
    await status.filter({ hasText: "2 changes to review" }).waitFor();
    await window.command("IDE Companion: Focus on To Review View");
    await rows.filter({ hasText: "Fake CLI" }).filter({ hasText: "0 of 2 decided" }).waitFor();

    await clickIn(rows.filter({ hasText: "Fake CLI" }), "Accept the Rest of This Agent's Turn…");
    const dialog = page.locator(".monaco-dialog-box").filter({ hasText: "Accept what Fake CLI proposes?" });
    await dialog.getByText("one.txt: +1 −0, Fake CLI").waitFor();
    await dialog.getByRole("button", { name: "Accept all, and the rest of this turn…" }).click();
    const input = page.locator(".quick-input-widget input[type=text]");
    await input.fill("*.sql");
    await input.press("Enter");
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);

    expect(await propose("three.txt")).toEqual({ kind: "accepted", content: "new\n" });
    const ahead = page.locator(".statusbar-item").filter({ hasText: "1 accepted without you" });
    await ahead.waitFor();
    const stopped = propose("four.sql");
    await rows.filter({ hasText: "four.sql" }).waitFor();
    await rows.filter({ hasText: "3 of 4 decided · accepted without you" }).waitFor();
    await page
      .locator(".pane-body")
      .getByText("What Fake CLI proposes in this turn is accepted without you. 1 accepted so far.")
      .waitFor();
    await ahead.click();
    await ahead.waitFor({ state: "detached" });
    const later = propose("five.txt");
    await rows.filter({ hasText: "3 of 5 decided" }).waitFor();
    await window.command("IDE Companion: Reject All Proposed Changes");
    await page.locator(".monaco-dialog-box").getByRole("button", { name: "Reject all" }).click();
    expect(await Promise.all([stopped, later])).toEqual([{ kind: "rejected" }, { kind: "rejected" }]);
  },
);

vscode.scenario(
  "a user of VS Code comments on lines by keys, edits and deletes comments, and says why with the decision",
  async (sandbox, window) => {
    const path = await sandbox.write("one.txt", text());
    const { page } = window;
    const cli = await startFakeCli(sandbox);
    const outcome = cli.propose(path, text(3));
    await window.tab("one.txt (Fake CLI)").click();
    await proposedCursor(window);
    const thread = page.locator(".review-widget");
    const write = async (comment: string) => {
      await thread.locator(".monaco-editor.focused").waitFor();
      await page.keyboard.insertText(comment);
      await page.keyboard.press("Control+Enter");
    };

    // Without a comment there is nothing to say: it asks for one.
    await chord(window, "Shift+Backspace");
    await page.locator(".notification-toast").filter({ hasText: "Comment on a line first." }).waitFor();
    await write("wrong");
    const decide = page.locator(".codelens-decoration").getByRole("button", { name: "Reject and Say Why" });
    await decide.waitFor();
    await thread.getByText("wrong").hover();
    await thread.getByRole("button", { name: "Edit Comment" }).click();
    await thread.locator(".edit-textarea .view-line").first().click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("why at the top?");
    await thread.getByRole("button", { name: "Save" }).click();
    await thread.getByText("why at the top?").waitFor();
    expect(await thread.getByText("wrong").count()).toBe(0);
    await decide.click();
    const comment = { side: "proposed", startLine: 1, endLine: 1, quote: "line 1", text: "why at the top?" };
    expect(await outcome).toMatchObject({ kind: "rejected", comments: [comment] });
    await thread.waitFor({ state: "detached" });
  },
);

vscode.scenario(
  "in VS Code keys decide about one change after the other: the next one has the focus",
  async (sandbox, window) => {
    const { page, status } = window;
    const cli = await startFakeCli(sandbox);
    const outcomes = ["one.txt", "two.txt", "three.txt"].map((name) =>
      cli.propose(sandbox.path(name), text(3)),
    );
    await status.filter({ hasText: "3 changes to review" }).waitFor();
    await window.tab("one.txt (Fake CLI)").click();
    await proposedCursor(window);
    await page.keyboard.press("Control+s");
    expect(await outcomes[0]).toMatchObject({ kind: "accepted" });
    await status.filter({ hasText: "2 changes to review" }).waitFor();
    // Not the one that was opened last.
    await window.activeTab.filter({ hasText: "two.txt (Fake CLI)" }).waitFor();

    const focused = page.locator(
      ".modified-in-monaco-diff-editor.focused, .modified-in-monaco-diff-editor .focused",
    );
    await focused.first().waitFor();
    // What has come up a moment ago takes no key.
    const shows = (waiting: Locator) => () => waiting.isVisible();
    const one = status.filter({ hasText: "1 change to review" });
    await pressUntil(page, ["Control+s"], shows(one), 3000);
    const none = status.filter({ hasNotText: "to review" });
    await pressUntil(page, ["Control+k", "Backspace"], shows(none), 3000);
    const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["accepted", "accepted", "rejected"]);
  },
);

vscode.scenario(
  "in VS Code an agent's terminal opens next to the editor where its user wants that, and changes open left of it",
  async (sandbox, window) => {
    const { page, command } = window;
    const cli = await startFakeCli(sandbox);
    await applySettings(sandbox, window, { "ideCompanion.terminalNextToEditor": true });
    await command("IDE Companion: Run Copilot CLI");
    const terminal = page.locator(".editor-instance .terminal-wrapper");
    await terminal.waitFor();
    const outcome = cli.propose(sandbox.path("one.txt"), text(3));
    await window.action("Accept Proposed Change").waitFor();
    await page.locator(".editor-group-container .monaco-diff-editor").waitFor();
    expect(await terminal.isVisible()).toBe(true);
    await window.terminal.focus();
    await page.locator(".codelens-decoration a").filter({ hasText: "Accept" }).click();
    expect(await outcome).toMatchObject({ kind: "accepted" });
  },
  { matrix: true },
);

vscode.scenario(
  "in VS Code, who closes all editors rejects nothing: each change waits with what was typed, and opens again",
  async (sandbox, window) => {
    const { page, status } = window;
    const cli = await startFakeCli(sandbox);
    const paths = [await sandbox.write("one.txt", text()), await sandbox.write("two.txt", text())];
    const outcomes = paths.map((path) => cli.propose(path, text(3)));
    await status.filter({ hasText: "2 changes to review" }).waitFor();
    await window.tab("one.txt (Fake CLI)").click();
    await (await lookAt(window)).replace("line 3, changed", "line 3, edited");
    await window.command("View: Close All Editors");
    await window.tab(/./).first().waitFor({ state: "detached" });
    await window.command("IDE Companion: Focus on To Review View");
    const rows = page.locator(".pane-body .monaco-list-row");
    await rows.filter({ hasText: "two.txt" }).waitFor();
    await status.filter({ hasText: "2 changes to review" }).waitFor();

    await rows.filter({ hasText: "one.txt" }).filter({ hasText: "with your edits" }).click();
    await page.locator(".view-line").filter({ hasText: "line 3, edited" }).waitFor();
    await (await lookAt(window)).accept();
    await window.tab("one.txt (Fake CLI)").waitFor({ state: "detached" });
    await rows.filter({ hasText: "two.txt" }).click();
    await window.activeTab.filter({ hasText: "two.txt (Fake CLI)" }).waitFor();
    await (await lookAt(window)).accept();
    expect(await Promise.all(outcomes)).toEqual([
      { kind: "accepted", content: text().replace("line 3\n", "line 3, edited\n") },
      { kind: "accepted", content: text(3) },
    ]);
  },
);

vscode.scenario(
  "in VS Code a change whose file another program changes meanwhile is accepted with the other's lines; where both have changed the same ones, its user chooses",
  async (sandbox, window) => {
    const { page } = window;
    const path = await sandbox.write("one.txt", text());
    const cli = await startFakeCli(sandbox);
    const tab = window.tab("one.txt (Fake CLI)");
    const lens = (name: string) => page.locator(".codelens-decoration").getByText(name).first();
    const side = (name: "original" | "modified", line: string) =>
      page.locator(`.${name}-in-monaco-diff-editor .view-line`).filter({ hasText: line }).first();
    const outcome = cli.propose(path, text(3));
    await tab.click();
    await (await lookAt(window)).replace("line 3, changed", "line 3, edited");
    await sandbox.write("one.txt", text(12));
    await lens("with what has changed on disk").waitFor();
    for (const name of ["original", "modified"] as const) await side(name, "line 12, changed").waitFor();
    await side("modified", "line 3, edited").waitFor();
    await lens("+1 −1").waitFor();
    await (await lookAt(window)).accept();
    const both = text(12).replace("line 3\n", "line 3, edited\n");
    expect(await outcome).toEqual({ kind: "accepted", content: both });
    expect(String(await sandbox.read("one.txt"))).toBe(both);
    await tab.waitFor({ state: "detached" });

    // At the moment of the decision.
    const late = cli.propose(path, both.replace("line 5\n", "line 5, changed\n"));
    await tab.click();
    await lens("+1 −1").waitFor();
    await sandbox.write("one.txt", `${both}their last line\n`);
    await (await lookAt(window)).accept();
    expect(await late).toMatchObject({
      kind: "accepted",
      content: expect.stringContaining("their last line"),
    });
    await tab.waitFor({ state: "detached" });
    await poll("the file", async () => String(await sandbox.read("one.txt")).includes("line 5, changed"));

    await sandbox.write("one.txt", text());
    const clash = cli.propose(path, text(3));
    await tab.click();
    await lens("+1 −1").waitFor();
    await sandbox.write("one.txt", text().replace("line 3\n", "line 3, theirs\n"));
    await lens("also changed on disk: choose, then accept").waitFor();
    await side("modified", "line 3, theirs").waitFor();
    await (await lookAt(window)).accept();
    await page
      .locator(".notification-toast")
      .filter({ hasText: "choose between them, then accept" })
      .waitFor();
    expect(String(await sandbox.read("one.txt"))).toContain("line 3, theirs");
    await (await lookAt(window)).reject();
    expect(await clash).toEqual({ kind: "rejected" });
  },
);

/** A change with edits is replaced: the user takes these from the notification to the file, and discards others. */
async function ownEdits(cli: FakeCli, window: VscodeWindow, path: string): Promise<void> {
  const { page } = window;
  const replace = async () => {
    void cli.propose(path, text(9));
    const tab = window.tab("two.txt (Fake CLI)");
    await tab.click();
    await (await lookAt(window)).replace("line 9, changed", "line 9, edited");
    const outcome = cli.propose(path, text(10));
    // The change comes behind a tab in which something was typed a moment ago.
    const newer = page.locator(".view-line").filter({ hasText: "line 10, changed" });
    await insist(
      "the newer one",
      () => tab.click(),
      () => newer.isVisible(),
      { again: 500 },
    );
    await (await lookAt(window)).reject();
    expect(await outcome).toEqual({ kind: "rejected" });
  };
  const notice = page.locator(".notification-toast").filter({
    hasText: "Your edits of two.txt are recovered. Fake CLI replaced the change with a newer one.",
  });
  const view = page.locator(".pane").filter({ hasText: "Recovered Edits" });
  await replace();
  await notice.getByRole("button", { name: "Show my edits" }).click();
  const shown = window.tab("two.txt (your recovered edits)");
  await shown.waitFor();
  await discardOwnEdits(window, "two.txt");
  await view.waitFor({ state: "detached" });

  await replace();
  await view.locator(".monaco-list-row").filter({ hasText: "two.txt" }).waitFor();
  await window.command("IDE Companion: Recovered Edits…");
  await window.choose("two.txt");
  await window.action("Restore Edits into the File").click();
  await shown.waitFor({ state: "detached" });
  await page.locator(".tab.active.dirty").filter({ hasText: "two.txt" }).waitFor();
  await page.keyboard.press("Control+s");
  await view.waitFor({ state: "detached" });
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
  await poll(`${path} sent`, () => openFiles(cli)?.[0] === path);
}

const names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const numbers = (...changed: readonly string[]) =>
  `${names.map((name) => changed.find((other) => other.startsWith(name)) ?? name).join("\n")}\n`;

for (const { agent, matrix, start } of proposers)
  vscode.scenario(
    `a change of ${agent} in VS Code is decided by lenses, one by one, and by saving; unsaved edits are asked about first; it has its language's colours and adds no problems`,
    async (sandbox, window) => {
      const path = await sandbox.write("numbers.txt", numbers());
      const { page } = window;
      const lens = (name: string) => page.locator(".codelens-decoration").getByRole("button", { name });
      const cli = await start(sandbox);
      const tab = window.tab(`numbers.txt (${cli.displayName})`);

      await cli.proposeWrite(path, numbers("two, changed", "seven, changed"));
      // What VS Code shows when the mouse rests on a tab.
      expect(await tab.locator(".tab-label").getAttribute("aria-label")).toContain(path);
      await lens("Reject").click();
      await cli.rejected();
      await tab.waitFor({ state: "detached" });
      expect(String(await sandbox.read("numbers.txt"))).toBe(numbers());

      await cli.proposeWrite(path, numbers("two, changed", "seven, changed"));
      await lens("Viewed").first().click();
      await page.getByText("1 of 2 changes viewed").waitFor();
      await lens("Revert").last().click();
      await page.locator(".codelens-decoration").getByText("+1 −1").waitFor();
      await lens("Accept").click();
      await cli.accepted();
      expect(String(await sandbox.read("numbers.txt"))).toBe(numbers("two, changed"));

      await window.open(path);
      await page.locator(".monaco-editor .view-line").first().click();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("mine, unsaved: ");
      const coming = cli.proposeWrite(path, numbers("two, changed", "seven, changed"));
      const typed = `mine, unsaved: ${await typeUntil(
        page,
        coming.then(() => tab.waitFor()),
      )}`;
      await page.locator(".view-line").filter({ hasText: typed }).waitFor();
      // It has come behind.
      await tab.click();
      const proposal = await lookAt(window);
      await proposal.accept();
      const dialog = page
        .locator(".monaco-dialog-box")
        .filter({ hasText: "numbers.txt has edits that you have not saved" });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      expect(String(await sandbox.read("numbers.txt"))).toBe(numbers("two, changed"));
      const accept = dialog.getByRole("button", { name: "Accept" });
      await window.press(["Control+s"], accept);
      await accept.click();
      await cli.accepted();
      expect(String(await sandbox.read("numbers.txt"))).toBe(numbers("two, changed", "seven, changed"));
      await tab.waitFor({ state: "detached" });
      await page.locator(".view-line").filter({ hasText: typed }).waitFor();
      await page.locator(".tab.dirty").filter({ hasText: "numbers.txt" }).waitFor();

      // Its language has colours there, and no faults: those of the file alone are counted.
      const faulty = await sandbox.write("faulty.json", '{ "first": }\n');
      await cli.proposeWrite(faulty, '{ "second": , }\n');
      await window.tab(`faulty.json (${cli.displayName})`).click();
      const proposed = page.locator(".modified-in-monaco-diff-editor .view-line");
      await proposed.locator("span[class*='mtk']").filter({ hasText: '"second"' }).waitFor();
      await page.locator(".original-in-monaco-diff-editor .squiggly-error").first().waitFor();
      await page
        .locator(".modified-in-monaco-diff-editor .squiggly-error")
        .first()
        .waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Errors: 1", exact: true }).waitFor();
    },
    { matrix },
  );

historyScenarios(vscode);
writtenScenarios(vscode);
