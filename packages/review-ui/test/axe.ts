import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds, whatever its impact. */
export async function faults(page: Page): Promise<unknown[]> {
  // Not as a script of the page, which its policy would refuse.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await readFile(axePath, "utf8"));
  return page.evaluate(async () => {
    const axe = Reflect.get(globalThis, "axe");
    // The page plays nothing, so no media and style sheets are loaded for the rules about these.
    const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false });
    return violations.map(
      ({
        id,
        impact,
        nodes,
      }: {
        id: string;
        impact: string;
        nodes: { html: string; failureSummary: string }[];
      }) => ({
        id,
        impact,
        nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary]),
      }),
    );
  });
}
