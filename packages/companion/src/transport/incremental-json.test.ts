import { expect, test, vi } from "vitest";
import { jsonLimits, parseJsonIncrementally } from "./incremental-json.ts";

/** As a large message is read, however small it is. */
const parse = (text: string) => parseJsonIncrementally(Buffer.from(text), 0);
const long = 300_000;

test.each([
  ["a number", "12"],
  ["white space around", ' \n{"a": [1, {"b": null}], "c": "d"}\t'],
  ["escapes", '{"a\\"b": "\\\\", "c": "\\\\\\"\\u00e9"}'],
  ["names that mean something to JavaScript", '{"__proto__": {"x": 1}, "constructor": 2}'],
])("what has %s is read as JSON.parse reads it", async (_, text) => {
  expect(await parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ["plain", "x".repeat(long)],
  ["every kind of escape", '\n"\\\u0001/'.repeat(long / 5)],
  ["backslashes alone", "\\".repeat(long)],
  ["two, three and four bytes", "é日🎉".repeat(long / 4)],
  ["halves of characters", "\ud83d".repeat(long / 2)],
])("a long string with %s is the same wherever it is cut", async (_, text) => {
  for (let shift = 0; shift < 7; shift += 1) {
    const value = { before: "<".repeat(shift), text: "-".repeat(shift) + text, after: [text.slice(0, 3)] };
    expect(await parse(JSON.stringify(value))).toEqual(value);
  }
});

test("escapes in a long string need not be the shortest", async () => {
  const text = `"${"\\u0041\\/".repeat(long / 4)}"`;
  expect(await parse(text)).toBe(JSON.parse(text));
});

test.each([
  ["", SyntaxError],
  ['{"a"', SyntaxError],
  ['"no end', SyntaxError],
  [`["${"x".repeat(long)}\n"]`, SyntaxError],
  [`["${"x".repeat(long)}" 1]`, SyntaxError],
  ["[".repeat(jsonLimits.depth + 1), RangeError],
  [`[${"1,".repeat(jsonLimits.parts)}1]`, RangeError],
  [`{"${"x".repeat(long)}": 1}`, RangeError],
  [`[${`"${"x".repeat(16_000)}",`.repeat(100)}1]`, RangeError],
  [" ".repeat(jsonLimits.rest + 2), RangeError],
])("what is no message is refused, and not quoted", async (text, kind) => {
  const error = await parse(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(kind);
  expect(String(error)).not.toMatch(/xx|\[\[|1,1/);
});

test.each([
  ["plain text", "x".repeat(60 << 20)],
  ["code", 'const a = "b";\n'.repeat(4 << 20)],
  ["Japanese", "日本語\n".repeat(6 << 20)],
])("others have a turn after each MiB of %s, where that takes long", async (_, text) => {
  // Each look at the clock finds that a slice is over.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1000;
    return now;
  });
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  try {
    const bytes = Buffer.from(JSON.stringify({ params: { newContent: text } }));
    await parseJsonIncrementally(bytes);
    expect(turns).toBeGreaterThanOrEqual(bytes.length >> 20);
  } finally {
    clearImmediate(next);
    vi.restoreAllMocks();
  }
});
