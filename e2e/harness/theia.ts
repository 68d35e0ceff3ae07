import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience } from "../../packages/testkit/src/waiting.ts";
import { startBrowser } from "./browser.ts";
import { theiaScript, vscodeExtension } from "./installed.ts";
import { setTerminalPath, type WindowTerminal } from "./integrated-terminal.ts";
import { quickInputOf } from "./quick-input.ts";
import { type ServedEditor, startServedEditor } from "./served-editor.ts";
import { type EditorWindow, windowEditor } from "./window-editor.ts";

/** What its tests need. */
export const theiaNeeds = { Theia: theiaScript, "the VS Code extension": vscodeExtension };

/** Its page is one script of 14 MB, which a busy machine reads for a while; in milliseconds. */
const startTime = 3 * patience;

/** For one scenario, in milliseconds. */
export const theiaTime = startTime + 240_000;

/** Nothing asks or is saved automatically. */
const settings = { "security.workspace.trust.enabled": false, "files.autoSave": "off" };

/** Theia with a window on the sandbox's workspace; its terminals find what `inWindow` starts. */
export async function startTheia(sandbox: Sandbox) {
  await setTerminalPath(sandbox);
  const [server, browser] = await Promise.all([
    startServer(sandbox),
    startBrowser(sandbox, { viewport: { width: 1400, height: 1200 } }),
  ]);
  const window = await openWindow(sandbox, browser, `${server.url}/#${encodeURI(sandbox.workspace)}`);
  return { server, window };
}

/** Theia with our extension, on the sandbox's workspace. */
export const theia = windowEditor({ name: "Theia", needs: theiaNeeds, within: theiaTime }, startTheia);

async function startServer(sandbox: Sandbox): Promise<ServedEditor> {
  const config = join(sandbox.home, "theia");
  // What a user installs lies there, and is unpacked from there.
  const plugins = join(config, "plugins");
  await mkdir(plugins, { recursive: true });
  await copyFile(vscodeExtension, join(plugins, "ide-companion.vsix"));
  await writeFile(join(config, "settings.json"), JSON.stringify(settings));
  return startServedEditor(sandbox, {
    name: "Theia",
    command: [theiaScript, "--hostname", "127.0.0.1", "--port", "0"],
    env: { ...sandbox.env, SHELL: "/bin/bash", THEIA_CONFIG_DIR: config },
    address: /Theia app listening on (http:\S+)\.\s/,
  });
}

async function openWindow(sandbox: Sandbox, browser: BrowserContext, url: string): Promise<EditorWindow> {
  const page = browser.pages()[0] ?? (await browser.newPage());
  const window = sandbox.own(createWindow(page));
  await page.goto(url, { timeout: startTime });
  await page.locator("#theia-statusBar [aria-label^='IDE Companion']").waitFor({ timeout: startTime });
  return window;
}

const main = "#theia-main-content-panel";

function createWindow(page: Page): EditorWindow {
  const { search, pick, choose } = quickInputOf(page);
  const tab = (label: string | RegExp) => page.locator(`${main} .lm-TabBar-tab`).filter({ hasText: label });
  const activeTab = page.locator(`${main} .lm-TabBar-tab.lm-mod-current`);
  return {
    page,
    choose,
    tab,
    activeTab,
    closeButton: (shown) => shown.locator(".lm-TabBar-tabCloseIcon"),
    terminal: terminalOf(page),
    command: (title) => pick("F1", `>${title}`, title),
    async open(path) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      // Files that were open before come first, whatever is asked for.
      await search("Control+p", name, name);
      await activeTab.filter({ hasText: name }).waitFor();
    },
    activeEditor: page.locator(`${main} .lm-DockPanel-widget:not(.lm-mod-hidden) .monaco-editor`),
    action: (title) => page.locator(`${main} .lm-TabBar-toolbar [title^='${title}']`),
    async describe() {
      if (page.isClosed()) return "--- window, closed";
      return `--- window\n${await page.locator("body").ariaSnapshot({ timeout: 2000 })}`;
    },
    close: async () => {},
  };
}

/** Theia paints its terminals, so that their text is nowhere on the page: it is asked for it. */
function terminalOf(page: Page): WindowTerminal {
  return {
    async focus() {
      // Theia starts another shell next to it, which may have come before it.
      await page.locator("[id^='shell-tab-plugin-terminal-']").click();
      await page.locator("[id^='plugin-terminal-'] textarea.xterm-helper-textarea").focus();
    },
    screen: () =>
      page.evaluate(() => {
        const { container } = (globalThis as unknown as Theia).theia;
        const services = [...container._bindingDictionary._map.keys()];
        const service = services.find((id) => typeof id === "symbol" && id.description === "TerminalService");
        const terminals = container.get(service).all;
        const terminal = terminals.find(({ id }) => id.startsWith("plugin-terminal-"))?.getTerminal();
        if (terminal === undefined) return "";
        const { active } = terminal.buffer;
        const rows = Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.baseY + row));
        return rows.map((row) => row?.translateToString(true) ?? "").join("\n");
      }),
  };
}

/** What Theia shows to scripts of its page, as far as its terminals go. */
interface Theia {
  readonly theia: {
    readonly container: {
      readonly _bindingDictionary: { readonly _map: ReadonlyMap<unknown, unknown> };
      get(service: unknown): { readonly all: readonly { readonly id: string; getTerminal(): Xterm }[] };
    };
  };
}

interface Xterm {
  readonly rows: number;
  readonly buffer: {
    readonly active: {
      readonly baseY: number;
      getLine(row: number): { translateToString(trimRight: boolean): string } | undefined;
    };
  };
}
