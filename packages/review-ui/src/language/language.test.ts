import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseLanguage, createWording, languageNames, loadWording } from "./language.ts";
import { sentences } from "./sentences.ts";

const parameters = (sentence: string) => [...sentence.matchAll(/\$\d?/g)].map(String).sort();

describe.each(languageNames.filter((name) => name !== "en"))("in %s", (language) => {
  test("every sentence has a translation with the same parameters", async () => {
    const { table } = await loadWording(language);
    expect(Object.keys(table ?? {}).sort()).toEqual([...sentences].sort());
    for (const [sentence, words] of Object.entries(table ?? {})) {
      expect(words.trim(), sentence).not.toBe("");
      expect(parameters(words), sentence).toEqual(parameters(sentence));
    }
  });
});

/** Where the companion's sentences come from that the page shows as they are. */
const sources = [
  ...["core/endings.ts", "core/reviews.ts", "core/edits/edits-store.ts", "core/edits/typed-texts.ts"],
  ...["core/history/rewrite.ts", "agents/claude-code/connection.ts"],
  ...["agents/gemini-family/session.ts", "frontends/review/earlier-decisions.ts"],
  ...["frontends/review/edits-list.ts", "frontends/review/conversation.ts", "frontends/review/seen-file.ts"],
];

test.each(sources)("no sentence of the companion's %s comes to the page in English alone", (source) => {
  const text = readFileSync(join(import.meta.dirname, "../../../companion/src", source), "utf8");
  const found = [...text.matchAll(/^[^/*\n]*(?:"([A-Z][^"\n]+\.)"|`((?:[A-Z]|\$\{)[^`\n]+\.)`)/gm)].map(
    ([, plain, filled]) => plain ?? filled?.replaceAll(/\$\{[^}]*\}/g, "$1") ?? "",
  );
  expect(found).not.toEqual([]);
  expect(found.filter((sentence) => !sentences.some((known) => known === sentence))).toEqual([]);
});

test("a sentence gets its values, and an unknown one of the companion stays in English", async () => {
  const english = createWording();
  expect(english.t("$1 proposes a change of $2.", "Gemini CLI", "a$1.ts")).toBe(
    "Gemini CLI proposes a change of a$1.ts.",
  );
  const { t, translate, translateFor } = await loadWording("pt-br");
  expect(t("line $1, character $2", 3, 4)).toBe("linha 3, caractere 4");
  expect(translate("rejected by $1", "Qwen Code")).toBe("rejeitada por Qwen Code");
  expect(translateFor("Qwen Code", "rejected by Qwen Code")).toBe("rejeitada por Qwen Code");
  expect(english.translateFor("Qwen Code", "rejected by Qwen Code")).toBe("rejected by Qwen Code");
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
