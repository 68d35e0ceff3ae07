import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { awaitedLater } from "./awaited-later.ts";
import { startBrowser } from "./browser.ts";
import { type CodeServerOptions, startCodeServer } from "./code-server.ts";
import { codeServerScript, vscodeExtension } from "./installed.ts";
import { setTerminalPath } from "./integrated-terminal.ts";
import { openWindow, type VscodeWindow } from "./vscode-window.ts";
import { windowEditor } from "./window-editor.ts";

/** What its tests need. */
export const vscodeNeeds = { "code-server": codeServerScript, "the VS Code extension": vscodeExtension };

export interface VscodeOptions extends CodeServerOptions {
  /** What the window opens, if not the sandbox's workspace: as `CodeServer.urlOf` takes it. */
  readonly opens?: string;
  /** Of the browser. */
  readonly viewport?: { width: number; height: number };
}

const roomy = { width: 1400, height: 1200 };

/** VS Code with a window on the sandbox's workspace; its terminals find what `inWindow` starts. */
export async function startVscode(
  sandbox: Sandbox,
  { opens = sandbox.workspace, viewport = roomy, ...options }: VscodeOptions = {},
) {
  await setTerminalPath(sandbox);
  // They load at the same time.
  const [server, browser] = await Promise.all([
    startCodeServer(sandbox, options),
    startBrowser(sandbox, { viewport }),
  ]);
  const window = await openWindow(sandbox, browser, server.urlOf(opens));
  return { server, browser, window };
}

/** VS Code with our extension, on the sandbox's workspace. */
export const vscode = windowEditor({ name: "VS Code", needs: vscodeNeeds }, startVscode);

/** Writes the workspace's settings, and waits until VS Code has read them: its title shows that. */
export async function applySettings(
  sandbox: Sandbox,
  { page }: VscodeWindow,
  settings: object,
): Promise<void> {
  const title = `workspace ${randomUUID()}`;
  await sandbox.write(".vscode/settings.json", JSON.stringify({ ...settings, "window.title": title }));
  await page.waitForFunction((wanted) => document.title === wanted, title);
}

/** Keeps typing where the keyboard is until something has happened. @returns what was typed */
export async function typeUntil(page: Page, happened: Promise<unknown>): Promise<string> {
  let isOver = false;
  const over = awaitedLater(
    happened.finally(() => {
      isOver = true;
    }),
  );
  let typed = "";
  for (; !isOver; typed += "x") await page.keyboard.type("x", { delay: 100 });
  await over;
  return typed;
}
