import { expect, test } from "vitest";
import { toPatterns } from "./exclusion.ts";
import { createExclusion } from "./patterns.ts";

const roots = ["/src/shop", "/src/lib"];

test.each([
  ["/src/shop/.env", true],
  ["/src/shop/deep/down/.env.local", true],
  ["/src/lib/.env", true],
  ["/elsewhere/.env", true],
  ["/src/shop/.env.example", false],
  ["/src/shop/src/env.ts", false],
])("%s is excluded: %s", (path, expected) => {
  const isExcluded = createExclusion({ patterns: [".env", ".env.*", "!.env.example"], roots });
  expect(isExcluded(path)).toBe(expected);
});

test("a pattern with a folder counts from the open folder", () => {
  const isExcluded = createExclusion({ patterns: ["secrets/"], roots });
  expect(isExcluded("/src/shop/secrets/key.txt")).toBe(true);
  expect(isExcluded("/src/shop/secrets.txt")).toBe(false);
});

test("what cannot be understood excludes nothing", () => {
  const isExcluded = createExclusion({ patterns: ["", "# a remark", "[", "\\"], roots });
  expect(isExcluded("/src/shop/a.txt")).toBe(false);
});

test.each([".env", { "**/.env": true }, [".env", null], 7])(
  "the setting %j keeps all files from agents",
  (setting) => {
    expect(toPatterns([".env"])).toEqual([".env"]);
    expect(createExclusion({ patterns: toPatterns(setting), roots })("/src/shop/deep/a.txt")).toBe(true);
  },
);

test("the folder itself and paths above are no trouble", () => {
  const isExcluded = createExclusion({ patterns: ["*.txt"], roots });
  expect(isExcluded("/src/shop")).toBe(false);
  expect(isExcluded("/src/notes.txt")).toBe(true);
});
