import { basename } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { pressUntil } from "./press-until.ts";
import { quickInputOf } from "./quick-input.ts";

/** A window of VS Code, used as a person uses it: by what is to be seen. */
export type VscodeWindow = ReturnType<typeof createWindow>;

/** Opens one and waits until our extension runs in it. */
export async function openWindow(sandbox: Sandbox, browser: BrowserContext, url: string) {
  const page = browser.pages().find((empty) => empty.url() === "about:blank") ?? (await browser.newPage());
  const window = sandbox.own(createWindow(page));
  // Packing the scripts takes more than sending them to the same machine.
  await page.setExtraHTTPHeaders({ "accept-encoding": "identity" });
  await page.addInitScript(standStill);
  await page.goto(url);
  await window.status.waitFor();
  return window;
}

/** Runs in the page. Without a graphics card each frame of what moves takes as long as many keys. */
function standStill(): void {
  document.addEventListener("DOMContentLoaded", () => {
    const style = document.createElement("style");
    style.textContent = "* { animation: none !important } .scrollbar { transition: none !important }";
    document.head.append(style);
  });
}

const activeTerminal = ".terminal-wrapper.active";

function createWindow(page: Page) {
  const status = page.locator(".statusbar-item[aria-label^='IDE Companion']");
  const { search, pick, choose } = quickInputOf(page);
  const tab = (label: string | RegExp) => page.locator(".tab").filter({ hasText: label });
  const activeTab = page.locator(".tab.active");
  const command = (title: string) => pick("F1", `>${title}`, title);
  return {
    page,
    /** The entry of ours in the status bar. */
    status,
    tab,
    activeTab,
    closeButton: (shown: Locator) => shown.getByRole("button", { name: "Close" }),
    activeEditor: page.locator(".editor-group-container.active .monaco-editor"),
    action: (title: string) => page.locator(".editor-actions").getByRole("button", { name: title }),
    command,
    choose,
    terminal: {
      focus: () => page.locator(`${activeTerminal} textarea.xterm-helper-textarea`).focus(),
      async screen() {
        const rows = await page.locator(`${activeTerminal} .xterm-rows > div`).allTextContents();
        return rows.map((row) => row.replaceAll("\u00a0", " ").trimEnd()).join("\n");
      },
    },
    /** Gives a file that is open in a tab another name, in the Explorer. */
    async rename(name: string, newName: string) {
      await tab(name).click();
      await command("File: Reveal Active File in Explorer View");
      await page
        .locator(".explorer-folders-view .monaco-list-row.focused")
        .filter({ hasText: name })
        .waitFor();
      await page.keyboard.press("F2");
      const box = page.locator(".explorer-folders-view .monaco-inputbox input");
      await box.fill(newName);
      await page.keyboard.press("Enter");
      await tab(newName).waitFor();
    },
    /** Presses keys until something is to be seen: in a busy window they get lost. */
    press: (keys: readonly string[], seen: Locator) => pressUntil(page, keys, () => seen.isVisible()),
    /**
     * Opens a file of any name.
     * @param path absolute
     * @param options `place` as `:3:14` for a line and a column; `shown` is what tells it from others of its name
     */
    async open(path: string, { place = "", shown = "" } = {}) {
      const name = basename(path);
      // What was open comes first, and so does the diff of a proposal that closes at this moment.
      await search("Control+p", `${path}${place}`, name, { hasText: shown, hasNotText: `${name} (` });
      await activeTab.filter({ hasText: name }).waitFor();
    },
    /** Goes to a place in the file that is looked at. @param place as `:3:14` for a line and a column */
    goTo: (place: string) => pick("Control+g", place, /\d/),
    /** Reloads it, as a browser does and `Developer: Reload Window`. */
    async reload() {
      await page.reload();
      await status.waitFor();
    },
    async describe() {
      if (page.isClosed()) return "--- window, closed";
      return `--- window\n${await page.locator("body").ariaSnapshot({ timeout: 2000 })}`;
    },
    async close() {
      if (!page.isClosed()) await page.close();
    },
  };
}
