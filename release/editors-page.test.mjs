import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { editors } from "../packages/companion/src/editors/editors.ts";
import { inRepository } from "../scripts/repository.mjs";

/** The links of the first column of the table: `[VS Code](vscode.md), code-server and derivatives, Theia`. */
async function rows() {
  const text = await readFile(inRepository("docs", "editors", "README.md"), "utf8");
  const cells = [...text.matchAll(/^\| (\[.*?) \|/gm)].map(([, cell]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]);
}

test("the table of docs/editors has each editor whose record names a page, and links to that page", async () => {
  const links = new Map((await rows()).map(([, label, page]) => [page, label]));
  const pages = new Set(editors.flatMap(({ page }) => page ?? []));
  expect(pages.size).toBeGreaterThan(8);
  for (const page of pages) {
    const names = editors.filter((editor) => editor.page === page).map(({ displayName }) => displayName);
    expect(names.some((name) => links.get(page)?.includes(name))).toBe(true);
  }
});

test("each editor in the table with a separate page has a record that names it", async () => {
  const own = (await rows()).map(([, , page]) => page).filter((page) => /^[\w-]+\.md$/.test(page));
  expect(own.length).toBeGreaterThan(6);
  expect(own.filter((page) => !editors.some((editor) => editor.page === page))).toEqual([]);
});

test("each editor that install sets up has a page", () => {
  expect(editors.filter(({ install, page }) => install && !page)).toEqual([]);
});
