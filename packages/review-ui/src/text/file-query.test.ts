import { expect, test } from "vitest";
import { parseFileQuery } from "./file-query.ts";

test.each([
  ["edit.ts", { name: "edit.ts" }],
  ["edit.ts:", { name: "edit.ts" }],
  ["edit.ts:40", { name: "edit.ts", line: 40 }],
  ["edit.ts:40:", { name: "edit.ts", line: 40 }],
  ["src/edit.ts:40:7", { name: "src/edit.ts", line: 40, character: 7 }],
  ["src/edit.ts:40:7:", { name: "src/edit.ts", line: 40, character: 7 }],
  ["edit.ts:0", { name: "edit.ts" }],
  ["a:b.ts", { name: "a:b.ts" }],
  ["", { name: "" }],
])("%j is taken apart", (text, query) => {
  expect(parseFileQuery(text)).toEqual(query);
});
