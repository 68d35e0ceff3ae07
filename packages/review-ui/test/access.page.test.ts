import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Bench, type BenchOptions, type Laboratory, openLaboratory } from "./laboratory.ts";

let laboratory: Laboratory;
let bench: Bench;
const setUp = async (options?: BenchOptions) => {
  bench = await laboratory.bench(options);
  return bench;
};
beforeAll(async () => {
  laboratory = await openLaboratory();
});
afterEach(() => bench.close());
afterAll(() => laboratory.close());

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds serious or critical. */
async function faults(page: Page): Promise<unknown[]> {
  // Not as a script of the page, which its policy would refuse.
  await page.evaluate(await readFile(axePath, "utf8"));
  return page.evaluate(async () => {
    const axe = Reflect.get(globalThis, "axe");
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }: { impact: string }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) => ({
        id,
        nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary]),
      }));
  });
}

const before = `// A comment\nexport const one = "two" + 3;\n${"same();\n".repeat(20)}last();\n`;
const after = before.replace("two", "three").replace("last", "final");
const files = {
  ".gitignore": "ignored.txt\n",
  "ignored.txt": "",
  "src/a.ts": before,
  "odd.txt": "\ufeffa\0b\n",
};

for (const colorScheme of ["light", "dark"] as const) {
  describe(`axe finds nothing serious in the ${colorScheme} theme`, () => {
    test("in an empty page and in the sheet of keys", async () => {
      const { page } = await setUp({ files, browser: { colorScheme } });
      await page.getByRole("treeitem", { name: "odd.txt" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      expect(await faults(page)).toEqual([]);
    });

    test("in an open file, with a session, a selection and files found", async () => {
      const { page, door, session, folder } = await setUp({ files, browser: { colorScheme } });
      door.onEvent({ kind: "session-opened", session });
      door.onEvent({ kind: "stream-opened", session });
      const path = `${folder}/odd.txt`;
      const file = {
        path,
        timestamp: 1,
        isActive: true,
        cursor: { line: 1, character: 1 },
        selectedText: "a",
      };
      door.onEvent({ kind: "context-sent", context: { workspaceState: { openFiles: [file] } }, sessions: 1 });
      await page.getByRole("treeitem", { name: "odd.txt" }).click();
      await page.locator(".cm-specialChar").first().waitFor();
      await page.getByRole("textbox", { name: "odd.txt, read only" }).focus();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("combobox").fill("a");
      await page.getByRole("option").first().waitFor();
      expect(await faults(page)).toEqual([]);
    });

    test("in both diffs, with badges, strips, journal and a kept version", async () => {
      const { page, propose, closeFromTerminal, write } = await setUp({ files, browser: { colorScheme } });
      const first = await propose("src/a.ts", after);
      await page.getByText("2 changes").waitFor();
      await page.getByRole("button", { name: "Keep change 1" }).click();
      await write("src/a.ts", `${before}more\n`);
      await page.getByText("The file on disk has changed").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("u");
      await page.locator(".diff-unified .cm-deletedLine").first().waitFor();
      await page.keyboard.press("i");
      await page.keyboard.type("x");
      await page.getByText("edited by you").waitFor();
      expect(await faults(page)).toEqual([]);
      await propose("odd.txt", "a\r\nb");
      await page.getByText("proposes a change of odd.txt").first().waitFor();
      await closeFromTerminal(first);
      await page.getByText("is kept").first().waitFor();
      expect(await faults(page)).toEqual([]);
    });
  });
}

test("the sheet lists the keys, and Escape closes it", async () => {
  const { page } = await setUp({ files });
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const title of ["Accept", "Reject", "Next change", "Find a file", "This sheet"]) {
    await sheet.getByText(title, { exact: true }).waitFor();
  }
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
});

test("the theme and the layout are remembered", async () => {
  const { page } = await setUp({ files });
  await page.keyboard.press("t");
  await page.reload();
  await page.getByRole("treeitem", { name: "odd.txt" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
});

test("at 1000 pixels nothing is cut off sideways", async () => {
  const { page, propose } = await setUp({ files, browser: { viewport: { width: 1000, height: 700 } } });
  await propose("src/a.ts", after);
  await page.getByText("2 changes").waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await page.getByRole("button", { name: "Accept", exact: true }).isVisible()).toBe(true);
});

test("F6 leads through the areas of the page", async () => {
  const { page } = await setUp({ files });
  await page.getByRole("treeitem", { name: "odd.txt" }).waitFor();
  const labels: (string | null)[] = [];
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press("F6");
    labels.push(
      await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute("aria-label") ?? activeElement?.id ?? null;
      }),
    );
  }
  expect(labels).toEqual(["file-tree", "Files and proposals", "Companion"]);
});

test("nothing but the page's own origin is asked for", async () => {
  const { page, door, propose } = await setUp({ files });
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(door.url)) foreign.push(request.url());
  });
  await propose("src/a.ts", after);
  await page.getByText("2 changes").waitFor();
  expect(foreign).toEqual([]);
  expect(bench.complaints).toEqual([]);
});
