import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  faintDifferences,
  fileResults,
  laters,
  notices,
  outcomes,
  reasons,
  reviewModeMeanings,
  rewriteTroubles,
} from "ide-companion/editor-kit";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const languages = ["zh-cn", "zh-tw", "pt-br"];
const read = (name: string): Record<string, string> => JSON.parse(readFileSync(join(folder, name), "utf8"));
const manifest = readFileSync(join(folder, "package.json"), "utf8");

/** What the companion says by codes. */
const sentences = [
  ...[outcomes, fileResults, laters, faintDifferences],
  ...[reasons, reviewModeMeanings, rewriteTroubles, notices],
].flatMap((each) => Object.values(each));

/** Every text that the sources translate. */
function texts(): string[] {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const own = sources.flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, name), "utf8");
    return [...source.matchAll(/l10n\.t\(\s*"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text ?? "");
  });
  return [...own, ...sentences];
}

test.each(languages)(
  "every text of the extension has a translation to %s, and no other text has one",
  (language) => {
    const translated = read(`l10n/bundle.l10n.${language}.json`);
    expect(Object.keys(translated).sort()).toEqual([...new Set(texts())].sort());
  },
);

test.each(languages)("a text and its translation to %s have the same parameters", (language) => {
  const translated = read(`l10n/bundle.l10n.${language}.json`);
  const parameters = (text: string) => (text.match(/\{\d\}|\$\d/g) ?? []).sort();
  for (const [text, translation] of Object.entries(translated))
    expect(parameters(translation), text).toEqual(parameters(text));
});

test.each(["", ...languages.map((language) => `.${language}`)])(
  "package.nls%s.json has the texts of the manifest",
  (suffix) => {
    const asked = [...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
    expect(Object.keys(read(`package.nls${suffix}.json`)).sort()).toEqual([...new Set(asked)].sort());
  },
);
