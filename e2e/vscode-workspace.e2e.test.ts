import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { insist, poll } from "../packages/testkit/src/waiting.ts";
import { startConnected } from "./harness/agent-cli.ts";
import { announcedWorkspaces } from "./harness/discovery-files.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { inWindow } from "./harness/integrated-terminal.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import { select } from "./harness/window-editor.ts";

/** Stands in for Gemini CLI's own companion, which no registry here has: its id is what we know it by. */
const official = {
  publisher: "google",
  name: "gemini-cli-vscode-ide-companion",
  displayName: "Stand-in for the official companion",
};

scenario(
  "in a workspace of two folders, once it is trusted, a CLI is started in one of them, pointed to files, and follows the workspace",
  async (sandbox) => {
    const poem = await sandbox.write("poem.txt", "roses\nviolets\n");
    const songs = join(sandbox.home, "songs");
    await mkdir(songs);
    await writeFile(join(songs, "song.txt"), "la la la\n");
    const team = join(sandbox.home, "team.code-workspace");
    await writeFile(team, JSON.stringify({ folders: [{ path: sandbox.workspace }, { path: songs }] }));
    const { window } = await startVscode(sandbox, { opens: team, standIns: [official], asksForTrust: true });
    const { page } = window;
    const agent = await startFakeCli(sandbox);
    const isTrusted = () => agent.context?.workspaceState?.isTrusted;
    await poll("a workspace without trust", () => isTrusted() === false);
    await page.getByRole("button", { name: /^Restricted Mode/ }).click();
    const trust = page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true });
    await trust.click();
    await poll("a workspace with trust", () => isTrusted());
    await agent.leave();
    const notice = page
      .locator(".notification-toast")
      .filter({ hasText: `${official.displayName} is installed as well.` });
    await notice.getByRole("button", { name: "Show that extension" }).click();
    const itsPage = page.locator(".extension-editor").filter({ hasText: official.displayName });
    await itsPage.getByRole("button", { name: "Disable this extension" }).waitFor();
    await notice.waitFor({ state: "detached" });

    const start = inWindow(window, "gemini", "Run Gemini CLI", { folder: "songs" });
    const cli = await startConnected(sandbox, gemini, { start, trusted: [songs] });
    await window.open(poem);
    await select(window, "violets");
    await window.command("IDE Companion: Send Selection to Agent");
    await cli.terminal.waitFor(`@${poem} (line 2)`);
    await window.open(join(songs, "song.txt"));
    await window.command("IDE Companion: Send File to Agent");
    await cli.terminal.waitFor("@song.txt");
    await cli.terminal.type("Compare the two");
    await cli.terminal.waitFor("Compare the two");
    await cli.submit();
    expect((await cli.model.request("Compare the two")).text).toContain("la la la");

    // Several files from the Explorer, and what was found in one of them: several lines, which nothing sends.
    const broken = join(songs, "broken.json");
    await writeFile(broken, '{\n  "one": ,\n  "two": 2,\n}\n');
    await window.open(broken);
    await page.locator(".statusbar-item[aria-label*='Errors']").waitFor();
    await window.command("IDE Companion: Send Problems of This File to Agent");
    await cli.terminal.waitFor("@broken.json (line 2): error: Value expected");
    await cli.terminal.waitFor("@broken.json (line 3): error: Trailing comma");
    await window.command("File: Reveal Active File in Explorer View");
    const files = page.locator(".explorer-folders-view .monaco-list-row");
    // The view selects what it reveals, a moment later.
    await files.and(page.locator(".focused")).filter({ hasText: "broken.json" }).click();
    await files.filter({ hasText: "song.txt" }).click({ modifiers: ["ControlOrMeta"] });
    await poll("two selected files", async () => (await files.and(page.locator(".selected")).count()) === 2);
    await files.filter({ hasText: "song.txt" }).click({ button: "right" });
    // A menu that has just opened ignores the first click.
    const send = page.locator(".monaco-menu").getByText("Send to Agent");
    await insist(
      "message from the menu",
      () => send.click(),
      async () => !(await send.isVisible()),
      { again: 2000 },
    );
    await cli.terminal.waitFor("@broken.json @song.txt");
    await cli.terminal.type("Now both");
    await cli.terminal.waitFor("Now both");
    await cli.submit();
    expect((await cli.model.request("Now both")).text).toContain("Value expected");

    await window.command("Workspaces: Remove Folder from Workspace...");
    await window.choose("songs");
    await poll("the one folder that is left", async () =>
      (await announcedWorkspaces(sandbox)).every((path) => path === sandbox.workspace),
    );
  },
  { needs },
);
