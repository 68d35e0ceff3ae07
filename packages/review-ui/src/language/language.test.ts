import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { chooseLanguage, createWording, languageNames, loadWording } from "./language.ts";

const parameters = (sentence: string) => [...sentence.matchAll(/\$\d?/g)].map(String).sort();

const sentences = Object.keys((await loadWording("pt-br")).catalog ?? {});

describe.each(languageNames.filter((name) => name !== "en"))("in %s", (language) => {
  test("every sentence has a translation with the same parameters", async () => {
    const { catalog } = await loadWording(language);
    expect(Object.keys(catalog ?? {})).toEqual(sentences);
    for (const [sentence, words] of Object.entries(catalog ?? {})) {
      expect(words.trim(), sentence).not.toBe("");
      expect(parameters(words), sentence).toEqual(parameters(sentence));
    }
  });
});

test("every sentence of the catalogs is one that the page, the companion or the editor can show", () => {
  const folders = ["review-ui", "companion"].map((name) =>
    join(import.meta.dirname, "../../..", name, "src"),
  );
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
      .map((name) => join(folder, name)),
  );
  const libraries = ["commands", "language", "merge", "view"].map((name) =>
    fileURLToPath(import.meta.resolve(`@codemirror/${name}`)),
  );
  const texts = [...sources, ...libraries].map((path) => readFileSync(path, "utf8"));
  const shown = texts.join("\n").replaceAll(/\$\{[^}"]*\}/g, "$1");
  const isShown = (sentence: string) => ['"', "`"].some((quote) => shown.includes(quote + sentence + quote));
  const unused = sentences.filter(
    (sentence) => !isShown(sentence) && !isShown(sentence.replaceAll(/\$\d/g, "$1")),
  );
  expect(unused).toEqual([]);
});

/** Where the companion's sentences come from that the page shows as they are. */
const sources = ["core/sentences.ts", "frontends/review/stored.ts"];

test.each(sources)("no sentence of the companion's %s comes to the page in English alone", (source) => {
  const text = readFileSync(join(import.meta.dirname, "../../../companion/src", source), "utf8");
  const found = [...text.matchAll(/^[^/*\n]*(?:"([A-Z][^"\n]+\.)"|`((?:[A-Z]|\$\{)[^`\n]+\.)`)/gm)].map(
    ([, plain, filled]) => plain ?? filled?.replaceAll(/\$\{[^}]*\}/g, "$1") ?? "",
  );
  expect(found).not.toEqual([]);
  expect(found.filter((sentence) => !sentences.includes(sentence))).toEqual([]);
});

test("a sentence gets its values, and an unknown one of the companion stays in English", async () => {
  const english = createWording();
  expect(english.t("$1 proposes a change of $2.", "Gemini CLI", "a$1.ts")).toBe(
    "Gemini CLI proposes a change of a$1.ts.",
  );
  const { t, translate, translateFor } = await loadWording("pt-br");
  expect(t("line $1, character $2", 3, 4)).toBe("linha 3, caractere 4");
  expect(translate("rejected by $1", "Qwen Code")).toBe("rejeitada por Qwen Code");
  const [file, kept] = ["a.ts", "$1 is kept from agents, and was not sent."];
  expect(translateFor(file, kept.replace("$1", file))).toBe(translate(kept, file));
  expect(english.translateFor(file, kept.replace("$1", file))).toBe(kept.replace("$1", file));
  expect(translate("a sentence of a newer companion")).toBe("a sentence of a newer companion");
});

test.each([
  [undefined, ["de", "pt-PT", "en"], "pt-br"],
  [undefined, ["zh-Hant-HK"], "zh-tw"],
  [undefined, ["zh-TW", "en"], "zh-tw"],
  [undefined, ["zh"], "zh-cn"],
  [undefined, ["zh-Hans-CN"], "zh-cn"],
  [undefined, ["en-GB", "zh-CN"], "en"],
  [undefined, ["fr", "de"], "en"],
  ["zh-cn", ["en"], "zh-cn"],
  ["klingon", ["pt"], "pt-br"],
])("chosen %s, wanted %j: %s", (chosen, wanted, language) => {
  expect(chooseLanguage(chosen, wanted)).toBe(language);
});
