import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRepository, isMain } from "../scripts/repository.mjs";
import { languages } from "./languages.mjs";

/** The pages of docs/ that every language has. All others are in English. */
const translated = ["start/first-review.md", "editors/README.md"];

/** In the last line of a translation: which English text it renders. */
const mark = /<!-- of the English text (\w+) -->\s*$/;

/** Each page that a language of the site must have, with its source; relative to the repository. */
export const translations = languages
  .filter(({ folder }) => folder !== undefined)
  .flatMap(({ folder }) =>
    translated.map((page) => ({ page: join("docs", folder, page), english: join("docs", page) })),
  );

/** @returns what is wrong with a translation, as sentences that name the page */
export async function faultsOf({ page, english }) {
  const text = await readFile(inRepository(page), "utf8").catch(() => undefined);
  if (text === undefined) return [`${page} is missing: translate ${english}`];
  const source = await readFile(inRepository(english), "utf8");
  const faults = differences(source, text).map((what) => `${page} ${what} than ${english}`);
  if (mark.exec(text)?.[1] === digestOf(source)) return faults;
  const remedy = `bring it up to date, then run node site/translations.mjs ${page}`;
  return [...faults, `${page} is older than ${english}: ${remedy}`];
}

/** How the form of a translation differs, which must be that of its source. */
export function differences(source, text) {
  const [wanted, given] = [formOf(source), formOf(text)];
  const found = [];
  if (wanted.headings.join() !== given.headings.join()) found.push("has other headings");
  if (wanted.rows !== given.rows) found.push(`has ${given.rows} and not ${wanted.rows} rows of tables`);
  if (wanted.blocks !== given.blocks)
    found.push(`has ${given.blocks} and not ${wanted.blocks} blocks of code`);
  const left = [...given.spans];
  const missing = wanted.spans.filter((span) => {
    const at = left.indexOf(span);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  if (missing.length > 0) found.push(`says ${[...new Set(missing)].join(" ")} less often`);
  return found;
}

function formOf(text) {
  const [prose, blocks] = [text.replaceAll(/^```.*?^```$/gms, ""), text.match(/^```.*?^```$/gms) ?? []];
  return {
    headings: [...prose.matchAll(/^(#+) /gm)].map(([, level]) => level.length),
    rows: prose.match(/^\|/gm)?.length ?? 0,
    blocks: blocks.length,
    spans: prose.match(/`[^`|\n]+`/g) ?? [],
  };
}

/** Of the words alone: where the lines are wrapped does not count. */
export const digestOf = (text) =>
  createHash("sha256").update(text.replaceAll(/\s+/g, " ").trim()).digest("hex").slice(0, 12);

/** Notes in translations that they render the English text as it is now. @throws Error for one of another form */
async function confirm(pages) {
  for (const one of translations) {
    if (!pages.includes(one.page)) continue;
    const [source, text] = await Promise.all(
      [one.english, one.page].map((path) => readFile(inRepository(path), "utf8")),
    );
    const [difference] = differences(source, text);
    if (difference !== undefined) throw new Error(`${one.page} ${difference} than ${one.english}`);
    const body = text.replace(mark, "").trimEnd();
    await writeFile(inRepository(one.page), `${body}\n\n<!-- of the English text ${digestOf(source)} -->\n`);
  }
}

if (isMain(import.meta)) await confirm(process.argv.slice(2));
