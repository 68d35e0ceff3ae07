import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Axe's rules about colours; the others find the same whatever the colours are. */
export const colourRules = ["color-contrast", "link-in-text-block"];

/** What axe finds by all of its rules, or by these, whatever its impact. */
export async function faults(page: Page, rules?: readonly string[]): Promise<unknown[]> {
  // Not as a script of the page, which its policy would refuse.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await readFile(axePath, "utf8"));
  const runOnly = rules && { type: "rule", values: rules };
  return page.evaluate(
    async (options) => {
      const axe = Reflect.get(globalThis, "axe");
      const { violations } = await axe.run(document, options);
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
    },
    { resultTypes: ["violations"], ...(runOnly && { runOnly }) },
  );
}
