import { expect, test } from "vitest";
import type { Diagnostic } from "./editor.ts";
import { toPromptText } from "./prompt-message.ts";

const lines = (first: number, last: number) => ({ lines: { first, last } });

test("the name of a file presses no key in a terminal", () => {
  for (const key of ["\n", "\r", "\t", "\x03", "\x1b", "\x7f", "\x9b", "\u2028"])
    expect(toPromptText({ mentions: [{ path: `/src/a${key}touch b${key}.ts` }] }, "/src")).toBeUndefined();
});

test.each([
  [{ path: "/src/src/main.ts" }, "/src", "@src/main.ts "],
  [{ path: "/src/my file.ts" }, "/src", "@my\\ file.ts "],
  [{ path: "/other/a.ts" }, "/src", "@/other/a.ts "],
  [{ path: "/src/a.ts" }, undefined, "@/src/a.ts "],
  [{ path: "/src" }, "/src", "@. "],
  [{ path: "/src/a.ts", ...lines(3, 3) }, "/src", "@a.ts (line 3) "],
  [{ path: "/src/a.ts", ...lines(3, 7) }, "/src", "@a.ts (lines 3-7) "],
])("a reference to %o from %s", (mention, folder, text) => {
  expect(toPromptText({ mentions: [mention] }, folder)).toBe(text);
});

const found: Diagnostic = {
  ...{
    filePath: "/src/a.ts",
    line: 3,
    character: 1,
    severity: "error",
    message: "no such name\r\nx\x1b[201~",
  },
  ...{ source: "ts", code: "2304" },
};

test("words, references and diagnostics are one text without keys", () => {
  const mentions = [{ path: "/src/a.ts" }, { path: "/src/b" }];
  const message = { text: " why?\x03 ", mentions, diagnostics: [found] };
  expect(toPromptText(message, "/src")).toBe(
    "why?\n@a.ts @b\n@a.ts (line 3): error: no such name\nx[201~ (ts 2304) ",
  );
  const { source: _, code: __, ...plain } = found;
  expect(toPromptText({ diagnostics: [{ ...plain, message: "no" }] })).toBe(
    "@/src/a.ts (line 3): error: no ",
  );
});
