import { expect, test } from "vitest";
import { exceptions, findLonely, findLong, lonelySources, longFunctions } from "./grain.mjs";

const lines = (count) => "const a = 1;\n".repeat(count);
const root = { path: "a/root.ts", text: 'import { big } from "./big.ts";\n' };
const big = (text, count = 100) => ({ path: "a/big.ts", text: `${text}\n${lines(count)}` });
const small = (count = 20) => ({ path: "a/b/small.ts", text: lines(count) });

test("a small source that a single one imports is found", () => {
  const found = [{ path: "a/b/small.ts", lines: 20, importer: "a/big.ts" }];
  expect(findLonely([root, big('import { small } from "./b/small.ts";'), small()])).toEqual(found);
  expect(findLonely([root, big('import type {\n  Small,\n} from "./b/small.ts";'), small()])).toEqual(found);
});

test("a source stays that is loaded on demand, published, imported twice, or has 60 lines", () => {
  const other = { path: "a/other.ts", text: 'import { small } from "./b/small.ts";\n' };
  const importing = 'import { small } from "./b/small.ts";';
  expect(findLonely([root, big('const a = await import("./b/small.ts");'), small()])).toEqual([]);
  expect(findLonely([root, big('export { small } from "./b/small.ts";'), small()])).toEqual([]);
  expect(findLonely([root, big(importing), other, small()])).toEqual([]);
  expect(findLonely([root, big(importing), small(60)])).toEqual([]);
});

test("a source stays whose importer has no room, or is an entry", () => {
  const importing = 'import { small } from "./b/small.ts";';
  expect(findLonely([root, big(importing, 290), small()])).toEqual([]);
  expect(findLonely([big(importing), small()])).toEqual([]);
});

test("no source is to be folded, and each exception is one that would be", async () => {
  expect(await lonelySources()).toEqual([]);
  const without = await lonelySources({});
  for (const path of Object.keys(exceptions)) expect(without.join("\n")).toContain(path);
  expect(without).toHaveLength(Object.keys(exceptions).length);
});

test("a function with more than 80 lines is found, whatever its lines hold", () => {
  const signature = "export function long(\n  a: number,\n  b: number,\n): number {\n";
  const body = (count) => "  // why\n\n".repeat(count / 2);
  const found = [{ name: "long", line: 1, lines: 81 }];
  expect(findLong("a.ts", `${signature}${body(76)}}\n`)).toEqual(found);
  expect(findLong("a.ts", `${signature}${body(74)}}\n`)).toEqual([]);
  const arrow = `const long = async () => {\n${lines(80)}};\n`;
  expect(findLong("a.tsx", `const first = <b />;\n${arrow}`)).toEqual([{ name: "long", line: 2, lines: 82 }]);
});

test("no function is too long", async () => {
  expect(await longFunctions()).toEqual([]);
});
