import { describe, expect, test } from "vitest";
import { chooseLanguage, createWording, languageNames, loadWording } from "./language.ts";
import { sentences } from "./sentences.ts";

const places = (sentence: string) => [...sentence.matchAll(/\$\d?/g)].map(String).sort();

describe.each(languageNames.filter((name) => name !== "en"))("in %s", (language) => {
  test("every sentence has its words, and the same places to fill in", async () => {
    const { table } = await loadWording(language);
    expect(Object.keys(table ?? {}).sort()).toEqual([...sentences].sort());
    for (const [sentence, words] of Object.entries(table ?? {})) {
      expect(words.trim(), sentence).not.toBe("");
      expect(places(words), sentence).toEqual(places(sentence));
    }
  });
});

test("a sentence is filled in, and one of the companion's that is not known stays English", async () => {
  const english = createWording();
  expect(english.t("$1 proposes a change of $2.", "Gemini CLI", "a$1.ts")).toBe(
    "Gemini CLI proposes a change of a$1.ts.",
  );
  const { t, tell, tellOf } = await loadWording("pt-br");
  expect(t("line $1, character $2", 3, 4)).toBe("linha 3, caractere 4");
  expect(tell("rejected by $1", "Qwen Code")).toBe("rejeitada por Qwen Code");
  expect(tellOf("Qwen Code", "rejected by Qwen Code")).toBe("rejeitada por Qwen Code");
  expect(english.tellOf("Qwen Code", "rejected by Qwen Code")).toBe("rejected by Qwen Code");
  expect(tell("a sentence of a newer companion")).toBe("a sentence of a newer companion");
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
