import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { patience } from "./deadline.ts";
import type { Editor, EditorKind, EditorProposal } from "./editor.ts";
import { theiaScript, vscodeExtension } from "./installed.ts";
import { setTerminalPath, type TerminalWindow, type WindowTerminal } from "./integrated-terminal.ts";
import { find, replaceInProposal } from "./monaco.ts";
import { quickInputOf } from "./quick-input.ts";
import { type ServedEditor, startServedEditor } from "./served-editor.ts";
import type { Resident, World } from "./world.ts";

/** What its tests need. */
export const theiaNeeds = { Theia: theiaScript, "the VS Code extension": vscodeExtension };

/** Theia with our extension, on the world's workspace. */
export const theia: EditorKind = {
  name: "Theia",
  needs: theiaNeeds,
  async start(world, files) {
    const { server, window } = await startTheia(world);
    for (const file of files) await window.open(file);
    return createEditor(server, window);
  },
};

/** A window of Theia, used as a person uses it: by what is to be seen. */
export interface TheiaWindow extends Resident, TerminalWindow {
  /** Opens a file of the workspace. @param path absolute */
  open(path: string): Promise<void>;
  /** The tab of this label, such as `note.txt (Gemini CLI)`. */
  tab(label: string | RegExp): Locator;
  /** The button that closes a tab. */
  closeButton(tab: Locator): Locator;
  /** Selects the first occurrence of a text in the editor that is looked at. */
  select(text: string): Promise<void>;
  /** The proposal in the active tab. */
  lookAt(): Promise<EditorProposal>;
}

/** Its page is one script of 14 MB, which a busy machine reads for a while; in milliseconds. */
const startTime = 3 * patience;

/** For one chain, in milliseconds. */
export const theiaTime = startTime + 240_000;

/** Nothing asks or is saved by itself. */
const settings = { "security.workspace.trust.enabled": false, "files.autoSave": "off" };

/** Theia with a window on the world's workspace; its terminals find what `inWindow` starts. */
export async function startTheia(world: World) {
  await setTerminalPath(world);
  const [server, browser] = await Promise.all([
    startServer(world),
    startBrowser(world, { width: 1400, height: 1200 }),
  ]);
  const window = await openWindow(world, browser, `${server.url}/#${encodeURI(world.workspace)}`);
  return { server, window };
}

async function startServer(world: World): Promise<ServedEditor> {
  const config = join(world.home, "theia");
  // What a user installs lies there, and is unpacked from there.
  const plugins = join(config, "plugins");
  await mkdir(plugins, { recursive: true });
  await copyFile(vscodeExtension, join(plugins, "ide-companion.vsix"));
  await writeFile(join(config, "settings.json"), JSON.stringify(settings));
  return startServedEditor(world, {
    name: "Theia",
    command: [theiaScript, "--hostname", "127.0.0.1", "--port", "0"],
    env: { ...world.env, SHELL: "/bin/bash", THEIA_CONFIG_DIR: config },
    address: /Theia app listening on (http:\S+)\.\s/,
  });
}

async function openWindow(world: World, browser: BrowserContext, url: string): Promise<TheiaWindow> {
  const page = browser.pages()[0] ?? (await browser.newPage());
  const window = world.own(createWindow(page));
  await page.goto(url, { timeout: startTime });
  await page.locator("#theia-statusBar [aria-label^='IDE Companion']").waitFor({ timeout: startTime });
  return window;
}

const main = "#theia-main-content-panel";
const shownEditor = `${main} .lm-DockPanel-widget:not(.lm-mod-hidden) .monaco-editor`;

function createWindow(page: Page): TheiaWindow {
  const { ask, pick, choose } = quickInputOf(page);
  const tab = (label: string | RegExp) => page.locator(`${main} .lm-TabBar-tab`).filter({ hasText: label });
  return {
    page,
    choose,
    tab,
    closeButton: (shown) => shown.locator(".lm-TabBar-tabCloseIcon"),
    terminal: terminalOf(page),
    command: (title) => pick("F1", `>${title}`, title),
    async open(path) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      // Files that were open before come first, whatever is asked for.
      await ask("Control+p", name);
      await choose(name);
      await page.locator(`${main} .lm-TabBar-tab.lm-mod-current`).filter({ hasText: name }).waitFor();
    },
    select: (text) => find(page, page.locator(shownEditor), text),
    async lookAt() {
      const action = (title: string) => page.locator(`${main} .lm-TabBar-toolbar [title^='${title}']`);
      await action("Accept").waitFor();
      return {
        replace: (before, after) => replaceInProposal(page, before, after),
        accept: () => action("Accept").click(),
        reject: () => action("Reject").click(),
      };
    },
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
      // Theia starts a shell of its own beside it, which may have come before it.
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

function createEditor(server: ServedEditor, window: TheiaWindow): Editor {
  const { page } = window;
  const lines = page.locator(`${shownEditor} .view-line`);
  return {
    open: window.open,
    close: () => window.closeButton(page.locator(`${main} .lm-TabBar-tab.lm-mod-current`)).click(),
    select: window.select,
    async typeUnsaved(text) {
      await lines.first().click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("End");
      await page.keyboard.type(text);
    },
    async shows(text) {
      await lines.filter({ hasText: text }).waitFor();
    },
    async proposal(name) {
      await window.tab(`${name} (`).click();
      return window.lookAt();
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
