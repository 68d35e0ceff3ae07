import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { insist, poll } from "../../packages/testkit/src/waiting.ts";
import { startBrowser, startSharedBrowser } from "../harness/browser.ts";
import { type StandIn, startCodeServer } from "../harness/code-server.ts";
import { openWindow, type VscodeWindow } from "../harness/vscode-window.ts";
import { lookAt } from "../harness/window-editor.ts";
import { sweepBy } from "./driver-steps.ts";
import { type Drivers, ended, type KitEditor } from "./kit-editor.ts";

/** One VS Code for a whole run. @returns what opens a window of it, for a separate user */
export async function startVscodeWindows(sandbox: Sandbox): Promise<(inner: Sandbox) => Promise<KitEditor>> {
  const settings = { "workbench.editor.wrapTabs": true };
  const [server, browser] = await Promise.all([
    startCodeServer(sandbox, { settings, standIns: [machine] }),
    startSharedBrowser(sandbox),
  ]);
  return async (inner) => {
    const file = join(inner.home, "kit.code-workspace");
    const { TMPDIR, QWEN_HOME, CODEX_HOME, COPILOT_HOME } = inner.env;
    const folders = [{ path: inner.workspace }];
    const env = { TMPDIR, QWEN_HOME, CODEX_HOME, COPILOT_HOME };
    await writeFile(file, JSON.stringify({ folders, env }));
    const context = await startBrowser(inner, { viewport: { width: 1400, height: 1000 }, shared: browser });
    const window = await openWindow(inner, context, server.urlOf(file));
    const pid = Number(await readFile(`${file}.pid`, "utf8"));
    return { drivers: createDrivers(inner, window), end: () => ended(pid, () => leave(window.page)) };
  };
}

/** All windows of a VS Code have one machine; the kit gives each start a private one. */
const machine: StandIn = {
  publisher: "kit",
  name: "machine",
  displayName: "The machine of a window",
  activationEvents: ["*"],
  code: `
    const { readFileSync, writeFileSync } = require("node:fs");
    const { fsPath } = require("vscode").workspace.workspaceFile;
    Object.assign(process.env, JSON.parse(readFileSync(fsPath, "utf8")).env);
    writeFileSync(fsPath + ".pid", String(process.pid));`,
};

/** As by the cross of the browser's tab. */
async function leave(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent("close"), page.close({ runBeforeUnload: true })]);
}

function createDrivers(sandbox: Sandbox, window: VscodeWindow): Drivers {
  const { page } = window;
  const tabOf = (path: string) =>
    page.locator(".tab").filter({ has: page.locator(`.tab-label[aria-label*=${JSON.stringify(path)}]`) });
  const proposalOf = (path: string) =>
    tabOf(path).filter({ hasText: /\((Gemini CLI|Qwen Code|Claude Code|Copilot CLI)[ \d]*\)/ });
  const active = (tab: Locator) => tab.and(page.locator(".tab.active"));
  const place = page.locator("[id='status.editor.selection']");
  const open = async (path: string, line: string, column: string) => {
    if (!existsSync(path)) return openUntitled();
    // At first what was open last is listed, perhaps another of this name.
    await window.open(path, { place: `:${line}:${column}`, shown: basename(dirname(path)) });
    await active(tabOf(path)).waitFor();
    await place.filter({ hasText: new RegExp(`^Ln ${line}, Col \\d+$`) }).waitFor();
  };
  /** VS Code finds no file that is not there; this one is not either. */
  const openUntitled = () => window.press(["Control+Alt+n"], active(window.tab("Untitled-")));
  const enter = async (path: string) => {
    await proposalOf(path).click();
    await active(proposalOf(path)).waitFor();
    const side = page.locator(".modified-in-monaco-diff-editor");
    return { side, ...(await lookAt(window)) };
  };
  /** What was typed reaches our extension before what is asked of it next: here, its menu. */
  const untilHeard = async () => {
    await window.command("IDE Companion: Show Menu");
    const menu = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "Show the log" });
    await menu.waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
  };
  const select = async (path: string, line: string, column: string, toLine: string, toColumn: string) => {
    await open(path, line, column);
    await window.press(["Control+k", "Control+b"], page.locator(".selection-anchor"));
    await window.goTo(`:${toLine}:${toColumn}`);
    await window.press(["Control+k", "Control+k"], place.filter({ hasText: "selected" }));
  };
  return {
    open,
    select,
    sweep: sweepBy(open, () => page.keyboard.press("ArrowDown")),
    async close(path) {
      const proposal = proposalOf(path);
      // A proposal may still be on its way to the window.
      await proposal.or(tabOf(path)).first().waitFor();
      // A proposal outlasts its tab.
      if ((await proposal.count()) > 0) return (await enter(path)).reject();
      await tabOf(path).getByRole("button", { name: "Close" }).click();
      await tabOf(path).waitFor({ state: "detached" });
    },
    accept: async (path) => (await enter(path)).accept(),
    reject: async (path) => (await enter(path)).reject(),
    async edit(path, text) {
      const { side } = await enter(path);
      await side.locator(".view-line").first().click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      // At once: a word that is typed is completed by the return behind it.
      if (text !== "") await page.keyboard.insertText(text);
      const lines = side.locator(".view-lines:not(.line-delete) .view-line");
      await poll(`the text of ${path}`, async () => (await lines.allInnerTexts()).join("\n") === text, {
        describe: async () => JSON.stringify(await lines.allInnerTexts()),
      });
      await untilHeard();
    },
    shows: async (path) => ((await proposalOf(path).count()) > 0 ? "yes" : "no"),
    async folder(path) {
      await window.command("Workspaces: Add Folder to Workspace...");
      const input = page.getByRole("textbox", { name: "Add Folder to Workspace" });
      const rows = page.locator(".quick-input-list .monaco-list-row");
      const others = rows.filter({ hasNotText: /^\.\.$/ });
      await others.first().waitFor();
      const list = async () => {
        await input.fill(path);
        await input.fill(`${path}/`);
      };
      // It answers for the folder that it lists; this one is empty. What is typed too soon it does not hear.
      await insist(`list of ${path}`, list, async () => (await others.count()) === 0);
      await rows.first().waitFor();
      await page.locator(".quick-input-widget").getByRole("button", { name: "Add" }).click();
      await input.waitFor({ state: "hidden" });
    },
    async mention(path, first, last) {
      await select(path, first, "1", last, "2");
      await window.command("IDE Companion: Send Selection to Agent");
    },
    async environment() {
      const file = join(sandbox.home, `env-${randomUUID()}`);
      await window.command("Terminal: Focus on Terminal View");
      const terminal = page.locator(".terminal-wrapper.active");
      await terminal.locator("textarea.xterm-helper-textarea").focus();
      await page.keyboard.type(`env >${file}.part; mv ${file}.part ${file}; exit\n`);
      await terminal.waitFor({ state: "detached" });
      return readFile(file, "utf8");
    },
  };
}
