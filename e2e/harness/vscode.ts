import type { Locator, Page } from "playwright-core";
import { awaitedLater } from "./awaited-later.ts";
import { startBrowser } from "./browser.ts";
import { type CodeServer, type CodeServerOptions, startCodeServer } from "./code-server.ts";
import type { Editor, EditorKind, EditorProposal } from "./editor.ts";
import { codeServerScript, vscodeExtension } from "./installed.ts";
import { setTerminalPath } from "./integrated-terminal.ts";
import { find, replaceInProposal } from "./monaco.ts";
import { openWindow, type VscodeWindow } from "./vscode-window.ts";
import type { World } from "./world.ts";

/** What its tests need. */
export const vscodeNeeds = { "code-server": codeServerScript, "the VS Code extension": vscodeExtension };

/** VS Code with our extension, on the world's workspace. */
export const vscode: EditorKind = {
  name: "VS Code",
  needs: vscodeNeeds,
  async start(world, files) {
    const { server, window } = await startVscode(world);
    for (const file of files) await window.open(file);
    return createEditor(server, window);
  },
};

export interface VscodeOptions extends CodeServerOptions {
  /** What the window opens, if not the world's workspace: as `CodeServer.urlOf` takes it. */
  readonly opens?: string;
  /** Of the browser. */
  readonly viewport?: { width: number; height: number };
}

const roomy = { width: 1400, height: 1200 };

/** VS Code with a window on the world's workspace; its terminals find what `inWindow` starts. */
export async function startVscode(
  world: World,
  { opens = world.workspace, viewport = roomy, ...options }: VscodeOptions = {},
) {
  await setTerminalPath(world);
  // They load beside each other.
  const [server, browser] = await Promise.all([
    startCodeServer(world, options),
    startBrowser(world, viewport),
  ]);
  const window = await openWindow(world, browser, server.urlOf(opens));
  return { server, browser, window };
}

function createEditor(server: CodeServer, window: VscodeWindow): Editor {
  const { page } = window;
  const activeEditor = activeEditorOf(page);
  return {
    open: window.open,
    async close() {
      await page.locator(".tab.active").getByRole("button", { name: "Close" }).click();
    },
    select: (text) => select(page, text),
    async typeUnsaved(text) {
      await activeEditor.first().click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("End");
      await page.keyboard.type(text);
    },
    async shows(text) {
      await activeEditor.locator(".view-line").filter({ hasText: text }).waitFor();
    },
    async proposal(name) {
      await window.tab(`${name} (`).click();
      return lookAt(page);
    },
    async nothingWaits() {
      await window
        .tab(/\((Gemini CLI|Qwen Code)[ \d]*\)/)
        .first()
        .waitFor({ state: "detached" });
    },
    kill: server.kill,
  };
}

/** The proposal in the active tab. */
export async function lookAt(page: Page): Promise<EditorProposal> {
  const action = (label: string) => page.locator(".editor-actions").getByRole("button", { name: label });
  await action("Accept").waitFor();
  return {
    replace: (before, after) => replaceInProposal(page, before, after),
    accept: () => action("Accept").click(),
    reject: () => action("Reject").click(),
  };
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

/** Selects the first occurrence of a text in the editor that is looked at. */
export const select = (page: Page, text: string): Promise<void> => find(page, activeEditorOf(page), text);

const activeEditorOf = (page: Page): Locator => page.locator(".editor-group-container.active .monaco-editor");
