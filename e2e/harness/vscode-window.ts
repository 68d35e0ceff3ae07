import type { BrowserContext, Locator, Page } from "playwright-core";
import { poll } from "./deadline.ts";
import type { Resident, World } from "./world.ts";

/** A window of VS Code, used as a person uses it: by what is to be seen. */
export interface VscodeWindow extends Resident {
  readonly page: Page;
  /** Runs a command from the palette by its whole title. */
  command(title: string): Promise<void>;
  /** Opens a file of any name. @param path absolute */
  open(path: string): Promise<void>;
  /** The tab of this label, such as `note.txt (Gemini CLI)`. */
  tab(label: string | RegExp): Locator;
  /** Chooses from a list that is open, by a part of a label. */
  choose(label: string): Promise<void>;
  /** Gives a file that is open in a tab another name, in the Explorer. */
  rename(name: string, newName: string): Promise<void>;
  /** The entry of ours in the status bar. */
  readonly status: Locator;
  /** Loads it anew, as a browser does and `Developer: Reload Window`. */
  reload(): Promise<void>;
}

/** Opens one and waits until our extension runs in it. */
export async function openWindow(world: World, browser: BrowserContext, url: string): Promise<VscodeWindow> {
  const page = browser.pages().find((empty) => empty.url() === "about:blank") ?? (await browser.newPage());
  const window = world.own(createWindow(page));
  await page.goto(url);
  await window.status.waitFor();
  return window;
}

function createWindow(page: Page): VscodeWindow {
  const status = page.locator(".statusbar-item[aria-label^='IDE Companion']");
  const input = page.locator(".quick-input-widget input[type=text]");
  const firstResult = page.locator(".quick-input-list .monaco-list-row").first();
  const tab = (label: string | RegExp) => page.locator(".tab").filter({ hasText: label });
  // What is chosen may ask another question, in the same place.
  const asked = () =>
    page
      .locator(".quick-input-widget:visible input[type=text]")
      .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
  /** Presses a key until it has had its effect: a window that is busy overhears it. */
  const insist = (key: string, isDone: () => Promise<boolean>) => {
    const seen = async () => ((await isDone()) ? true : undefined);
    const press = async () => {
      await page.keyboard.press(key);
      return poll(`effect of ${key}`, seen, { within: 10_000, every: 20 }).catch(() => undefined); // once more
    };
    return poll(`effect of ${key}`, press);
  };
  const pick = async (key: string, text: string, found: Locator) => {
    await insist(key, () => input.isVisible());
    await input.fill(text);
    await found.waitFor();
    await insist("Enter", async () => !(await asked()).includes(text));
  };
  const command = (title: string) => pick("F1", `>${title}`, firstResult.filter({ hasText: title }));
  return {
    page,
    status,
    tab,
    command,
    async choose(label) {
      await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: label }).first().click();
      await input.waitFor({ state: "hidden" });
    },
    async rename(name, newName) {
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
    async open(path) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      await pick("Control+p", path, firstResult.filter({ hasText: name }));
      await page.locator(".tab.active").filter({ hasText: name }).waitFor();
    },
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
