import { expect, test } from "vitest";
import { knownFiles } from "../scripts/known-files.mjs";
import { anchorsIn, brokenCitations, brokenLinks, linksIn, missingSources } from "./links.mjs";

test("every relative link of every Markdown file leads to a file, and to a heading where it names one", async () => {
  const files = await knownFiles("*.md");
  expect(files.length).toBeGreaterThan(40);
  expect((await Promise.all(files.map(brokenLinks))).flat()).toEqual([]);
});

test("every page of docs that code cites is there, with the heading that it names", async () => {
  expect(await brokenCitations()).toEqual([]);
});

test("every source that a page names is there", async () => {
  const files = await knownFiles("*.md");
  expect((await Promise.all(files.map(missingSources))).flat()).toEqual([]);
});

test("a link is found in text, in a table and around a picture, and not in code", () => {
  const markdown = [
    "See [a](a.md#x) and [![picture](b.png)](../c.md), not `[d](d.md)`.",
    "| [e](e/f.md) | https://example.org | [g](https://example.org/g.md) |",
    "```md\n[h](h.md)\n```",
  ].join("\n");
  expect(linksIn(markdown)).toEqual(["a.md#x", "b.png", "../c.md", "e/f.md"]);
});

test("anchors follow GitHub's rules", () => {
  const markdown =
    '# `edits`: bring it back\n\n## A, B & [C](c.md)\n\n## Again\n\n### Again\n\n<a id="t1"></a>';
  expect([...anchorsIn(markdown)]).toEqual(["edits-bring-it-back", "a-b--c", "again", "again-1", "t1"]);
});
