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
