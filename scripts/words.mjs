import { readFile } from "node:fs/promises";
import { knownFiles } from "./known-files.mjs";
import { inRepository } from "./repository.mjs";

/** Words that readers do not expect, in every form, and what to say instead. */
const unexpected = [
  ["abilit(?:y|ies)", "optional capability"],
  ["anew", "again"],
  ["beside", "next to, besides"],
  ["breathers?", "yielder"],
  ["by itself", "automatically, alone"],
  ["chains?", "scenario, sequence"],
  ["desks?", "controller"],
  ["doors?", "frontend"],
  ["glanc(?:e|es|ed|ing)", "look up, check"],
  ["hands", "driver; passes"],
  ["journals?", "history"],
  ["manners?", "quirks, way"],
  ["mend(?:s|ed|ing)?", "fix"],
  ["of (?:its|their|your|our) own", "own, separate"],
  ["presence", "connection status"],
  ["scenes?", "fixture"],
  ["shel(?:f|ves)", "store"],
  ["sought", "discovered"],
  ["stages?", "fixture"],
  ["surroundings", "environment"],
  ["tak(?:e|es|ing|en) back", "revert, undo"],
  ["telling", "reporting"],
  ["told", "sent, notified, reported"],
  ["verdicts?", "result"],
  ["voices?", "notifier"],
  ["whoever", "anybody who, the user who"],
  ["worlds?", "sandbox"],
].map(([form, say]) => ({
  pattern: new RegExp(`\\b${form.replaceAll(" ", "\\s+(?:[*/#;]+\\s+)?")}\\b`, "gi"),
  say,
}));

/** Where such a word is the usual one. */
const usual = [
  /ViewColumn\.Beside/g,
  /\bhello,? world\b|["'] world\b/gi,
  /\bopenWorldHint\b/g,
  /\.chain\(/g,
  /\b(?:prototype|supply|promise) chains?\b/gi,
];

/** What others have written, or what has to name these words. */
const foreign = [/(?:^|\/)(?:THIRD-PARTY-NOTICES\.md|LICENSE|package-lock\.json)$/, /^scripts\/words/];

/** @returns {Promise<string[]>} `path:line: word; say: …` for each unexpected word of the repository's own texts */
export async function unexpectedWords() {
  const own = (await knownFiles()).filter((file) => !foreign.some((pattern) => pattern.test(file)));
  const found = await Promise.all(
    own.map(async (file) => {
      const text = await readFile(inRepository(file), "utf8").catch(() => ""); // gone meanwhile
      return text.includes("\0") ? [] : wordsIn(text).map((finding) => `${file}:${finding}`);
    }),
  );
  return found.flat();
}

/** @returns {string[]} `line: word; say: …`, by line */
export function wordsIn(text) {
  const own = usual.reduce((rest, pattern) => rest.replace(pattern, (part) => "_".repeat(part.length)), text);
  // Also the parts of camelCase, PascalCase, snake_case and UPPER_CASE names.
  const words = own.replaceAll(/[\d_]/g, "-").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-");
  const findings = unexpected.flatMap(({ pattern, say }) =>
    [...words.matchAll(pattern)].map(({ 0: word, index }) => ({ word, index, say })),
  );
  return findings
    .sort((a, b) => a.index - b.index)
    .map(
      ({ word, index, say }) =>
        `${words.slice(0, index).split("\n").length}: ${word.replace(/\s+/g, " ")}; say: ${say}`,
    );
}
