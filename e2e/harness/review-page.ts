import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { type BrowserOptions, startBrowser } from "./browser.ts";

/** The review page in a real browser, used as a person uses it: by what is to be seen and heard. */
export type ReviewPage = ReturnType<typeof createReviewPage>;

/** A proposal under review. */
export type ProposalView = ReturnType<typeof createProposalView>;

/** Opens a one-time link in a separate browser, or as another user of one. @param options as `startBrowser` takes them */
export async function openReviewPage(
  sandbox: Sandbox,
  link: string,
  options: Omit<BrowserOptions, "viewport"> = {},
) {
  const context = await startBrowser(sandbox, { viewport: { width: 1400, height: 900 }, ...options });
  const page = context.pages()[0] ?? (await context.newPage());
  const faults: string[] = [];
  const broken = new Promise<never>((_, reject) => {
    page.on("pageerror", (error) => {
      faults.push(`uncaught in the page: ${error.stack ?? error.message}`);
      reject(error);
    });
  });
  broken.catch(() => {}); // later ones fail the scenario as faults
  const review = sandbox.own(createReviewPage(page, faults, () => context.close()));
  await page.goto(link);
  await Promise.race([page.getByRole("main").waitFor(), broken]);
  return review;
}

function createReviewPage(page: Page, faults: readonly string[], close: () => Promise<void>) {
  const waiting = page.getByRole("region", { name: /^Waiting/ });
  return {
    page,
    /** Finds a file by name and opens it. */
    async openFile(name: string) {
      await page.getByRole("combobox", { name: "Find a file" }).fill(name);
      await page.getByRole("option", { name }).first().click();
      await page.getByRole("textbox", { name: `${name}, read only` }).waitFor();
    },
    /** Selects the first occurrence of a text in the open file, with the mouse. */
    select: (wanted: string) => dragOver(page, page.getByRole("textbox", { name: /, read only$/ }), wanted),
    /** Waits for a proposal for the file of this name and opens it; `agent` tells two for one file apart. */
    async proposal(name: string, agent = "") {
      const group = waiting.getByRole("region").filter({ hasText: agent });
      await group.getByRole("button").filter({ hasText: name }).click();
      // Read-only where the agent cannot take edits.
      const isShown = (label: string) => page.getByRole("textbox", { name: label, exact: true });
      const editor = isShown(`${name} as proposed, editable`).or(isShown(`${name} as proposed`));
      await editor.waitFor();
      return createProposalView(page, editor);
    },
    /** Waits until nothing waits for a decision. */
    nothingWaits: () => waiting.waitFor({ state: "detached" }),
    /** The user's edits of a file that the CLI did not take, as the page offers them. */
    async keptEdits(name: string) {
      const list = page.getByRole("region", { name: /^Recovered edits/ });
      await list.getByRole("button").filter({ hasText: name }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download" }).last().click(),
      ]);
      return text(await download.createReadStream());
    },
    /** Waits until the page says that the CLIs have received this selection. */
    async contextHolds(selection: string) {
      await page.getByLabel("Selected text").filter({ hasText: selection }).waitFor();
    },
    async describe() {
      if (page.isClosed()) return "--- review page, closed";
      return `--- review page\n${await page.locator("body").ariaSnapshot({ timeout: 1000 })}\n${faults.join("\n")}`;
    },
    faults: () => faults,
    close,
  };
}

function createProposalView(page: Page, editor: Locator) {
  return {
    /** Replaces the first occurrence of a text in the proposed side by typing over it. */
    async edit(before: string, after: string) {
      await dragOver(page, editor, before);
      await page.keyboard.insertText(after);
      await editor.filter({ hasText: after }).waitFor();
    },
    /** Leaves the lines of one change as they are on disk. @param number 1-based */
    async revert(number: number) {
      await page.getByRole("button", { name: `Revert change ${number}` }).click();
    },
    accept: () => page.getByRole("button", { name: "Accept", exact: true }).click(),
    reject: () => page.getByRole("button", { name: "Reject", exact: true }).click(),
    /** Waits until it is no longer to be decided. */
    gone: () => editor.waitFor({ state: "detached" }),
  };
}

/** Presses the mouse before a text of an editor and releases it behind: it is selected. */
async function dragOver(page: Page, editor: Locator, text: string): Promise<void> {
  const line = editor.locator(".cm-line").filter({ hasText: text }).first();
  await line.scrollIntoViewIfNeeded();
  const box = await line.evaluate(boxOfText, text);
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, middle);
  await page.mouse.move(box.x + box.width, middle);
  await page.mouse.up();
}

/** Runs in the page. @returns where a text stands within an element, in CSS pixels */
export function boxOfText(element: Element, text: string) {
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const from = (element.textContent ?? "").indexOf(text);
  let passed = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (from >= passed && from < passed + length) range.setStart(node, from - passed);
    const to = from + text.length;
    if (to > passed && to <= passed + length) range.setEnd(node, to - passed);
    passed += length;
  }
  const { x, y, width, height } = range.getBoundingClientRect();
  return { x, y, width, height };
}
