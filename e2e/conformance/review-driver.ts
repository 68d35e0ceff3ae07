import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { startSharedBrowser } from "../harness/browser.ts";
import { startCompanion } from "../harness/companion.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { shellEnvironment, stepsBackTo, stepsTo, sweepBy } from "./driver-steps.ts";
import { type Drivers, endsBySignal, type KitEditor } from "./kit-editor.ts";

/** One browser for a whole run. @returns what starts a companion with a review page, for a separate user */
export async function startReviewPages(sandbox: Sandbox): Promise<(inner: Sandbox) => Promise<KitEditor>> {
  const browser = await startSharedBrowser(sandbox);
  return (inner) => startReviewPage(inner, browser);
}

/** The page is opened for the first that is asked of it. */
async function startReviewPage(sandbox: Sandbox, browser: Browser): Promise<KitEditor> {
  const companion = await startCompanion(sandbox);
  let page: Promise<Page> | undefined;
  const open = async () => (await openReviewPage(sandbox, companion.link, { shared: browser })).page;
  const drivers = createDrivers(sandbox, () => {
    page ??= open();
    return page;
  });
  return { drivers, end: endsBySignal(companion.pid) };
}

function createDrivers(sandbox: Sandbox, pageOf: () => Promise<Page>): Drivers {
  const waiting = (page: Page, path: string) =>
    page
      .getByRole("region", { name: /^Waiting/ })
      .getByRole("button")
      .filter({ hasText: basename(path) });
  /** Goes to a proposal. @returns its proposed side, which is editable unless its agent takes no edits */
  const enter = async (path: string) => {
    const page = await pageOf();
    await waiting(page, path).click();
    const side = page.getByRole("textbox", { name: `${basename(path)} as proposed` });
    await side.waitFor();
    return { page, side };
  };
  const decide = async (path: string, decision: "Accept" | "Reject") => {
    const { page } = await enter(path);
    await page.getByRole("button", { name: decision, exact: true }).click();
  };
  const open = async (path: string, line: string, column: string) => {
    const page = await pageOf();
    await findFile(page, sandbox, path);
    if (existsSync(path)) await goTo(page, path, Number(line), Number(column));
  };
  return {
    open,
    async select(path, line, column, toLine, toColumn) {
      await open(path, line, column);
      const page = await pageOf();
      const down = Number(toLine) - Number(line);
      const back = await stepsBackTo(path, Number(toLine), Number(toColumn));
      await page.keyboard.down("Shift");
      // Nobody goes down a long file line by line.
      if (back < down) {
        await page.keyboard.press("Control+End");
        await press(page, "ArrowLeft", back);
      } else {
        await press(page, "ArrowDown", down);
        await page.keyboard.press("Home");
        await press(page, "ArrowRight", await stepsTo(path, Number(toLine), Number(toColumn)));
      }
      await page.keyboard.up("Shift");
    },
    sweep: sweepBy(open, async () => (await pageOf()).keyboard.press("ArrowDown")),
    async close(path) {
      const page = await pageOf();
      // A proposal may still be on its way to the page: which of the two it is, is known when one of them is there.
      await waiting(page, path).or(tabOf(page, path)).first().waitFor();
      // A proposal outlasts its tab.
      if ((await waiting(page, path).count()) > 0) return decide(path, "Reject");
      await tabOf(page, path).click({ button: "middle" });
      await tabOf(page, path).waitFor({ state: "detached" });
    },
    accept: (path) => decide(path, "Accept"),
    reject: (path) => decide(path, "Reject"),
    async edit(path, text) {
      const { page, side } = await enter(path);
      await side.click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.type(text);
    },
    shows: async (path) => ((await waiting(await pageOf(), path).count()) > 0 ? "yes" : "no"),
    async mention(path, first, last) {
      await open(path, first, "1");
      const page = await pageOf();
      await page.keyboard.down("Shift");
      await press(page, "ArrowDown", Number(last) - Number(first));
      await page.keyboard.press("End");
      await page.keyboard.up("Shift");
      await page.getByRole("button", { name: "Send to agent" }).click();
    },
    environment: () => shellEnvironment(sandbox),
  };
}

const tabOf = (page: Page, path: string) => page.locator(`[role="tab"][title="${path}"]`);

/** Types the name of a file until it is found, and opens it. One that is not on disk is not to be found. */
async function findFile(page: Page, sandbox: Sandbox, path: string): Promise<void> {
  const field = page.getByRole("combobox", { name: "Find a file" });
  const hit = page.getByRole("option").filter({ has: page.getByTitle(path, { exact: true }) });
  await poll(`${path} among the files`, async () => {
    await field.fill(relative(sandbox.workspace, path));
    if (!existsSync(path))
      return page
        .getByText("No file has this name.")
        .waitFor()
        .then(() => true);
    await hit.or(page.getByText("No file has this name.")).first().waitFor();
    return (await hit.count()) > 0 ? true : field.fill("").then(() => undefined);
  });
  if (!existsSync(path)) return field.fill("");
  await hit.click();
  await page.getByRole("textbox", { name: `${basename(path)}, read only` }).waitFor();
}

/** Puts the cursor there by keys. */
async function goTo(page: Page, path: string, line: number, column: number): Promise<void> {
  await page.getByRole("textbox", { name: `${basename(path)}, read only` }).focus();
  await page.keyboard.press("Control+Home");
  await press(page, "ArrowDown", line - 1);
  await press(page, "ArrowRight", await stepsTo(path, line, column));
}

async function press(page: Page, key: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
}
