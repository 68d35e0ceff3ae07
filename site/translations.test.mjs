import { expect, test } from "vitest";
import { differences, digestOf, faultsOf, translations } from "./translations.mjs";

test("every language has its pages, and no translation is older than its source", async () => {
  expect(translations).toHaveLength(6);
  expect((await Promise.all(translations.map(faultsOf))).flat()).toEqual([]);
});

test("a page that is missing is named, and so is what a translation leaves out", async () => {
  const [page] = translations;
  expect(await faultsOf({ ...page, page: "docs/zh-CN/start/none.md" })).toEqual([
    `docs/zh-CN/start/none.md is missing: translate ${page.english}`,
  ]);
  const source = "# Vim\n\n| `:w` | accept |\n\n`:w` accepts, `:q` rejects.\n\n```vim\nset x\n```\n";
  expect(differences(source, source.replace("accepts", "aceita"))).toEqual([]);
  expect(differences(source, "# Vim\n\n## Uso\n\n`:w` aceita.\n")).toEqual([
    "has other headings",
    "has 0 and not 1 rows of tables",
    "has 0 and not 1 blocks of code",
    "says `:w` `:q` less often",
  ]);
});

test("a word that changes makes translations older, and lines that are wrapped elsewhere do not", async () => {
  const [{ page }] = translations;
  const fault = (await faultsOf({ page, english: "docs/README.md" })).at(-1);
  expect(fault).toContain(`${page} is older than docs/README.md: bring it up to date, then run node site/`);
  expect(digestOf("Press `s`\nto send.\n")).toBe(digestOf("Press `s` to send."));
  expect(digestOf("Press `s` to send.")).not.toBe(digestOf("Press `t` to send."));
});
