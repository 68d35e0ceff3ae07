import { expect, test } from "vitest";
import { toMention } from "./mention.ts";

test("a file's name presses no Enter in a terminal, and no other key", () => {
  for (const key of ["\n", "\r", "\t", "\x03", "\x1b", "\x7f", "\x9b"])
    expect(toMention(`/src/a${key}touch b${key}.ts`, "/src")).toBeUndefined();
});

test.each([
  ["/src/src/main.ts", "/src", undefined, "@src/main.ts "],
  ["/src/my file.ts", "/src", undefined, "@my\\ file.ts "],
  ["/other/a.ts", "/src", undefined, "@/other/a.ts "],
  ["/src/a.ts", undefined, undefined, "@/src/a.ts "],
  ["/src/a.ts", "/src", { first: 3, last: 3 }, "@a.ts (line 3) "],
  ["/src/a.ts", "/src", { first: 3, last: 7 }, "@a.ts (lines 3-7) "],
])("%s seen from %s", (path, folder, lines, mention) => {
  expect(toMention(path, folder, lines)).toBe(mention);
});
