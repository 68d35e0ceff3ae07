import { expect, test } from "vitest";
import { jsonLimits, parseMessageJson } from "./message-json.ts";

const parse = (text: string) => parseMessageJson(Buffer.from(text));
const long = 300_000;

test.each([
  ["a number", "12"],
  ["white space around", ' \n{"a": [1, {"b": null}], "c": "d"}\t'],
  ["escapes", '{"a\\"b": "\\\\", "c": "\\\\\\"\\u00e9"}'],
  ["names that mean something to JavaScript", '{"__proto__": {"x": 1}, "constructor": 2}'],
])("what has %s is read as JSON.parse reads it", (_, text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ["plain", "x".repeat(long)],
  ["every kind of escape", '\n"\\\u0001/'.repeat(long / 5)],
  ["backslashes alone", "\\".repeat(long)],
  ["two, three and four bytes", "é日🎉".repeat(long / 4)],
  ["halves of characters", "\ud83d".repeat(long / 2)],
  ["more brackets and commas than a message has parts", "[1, {".repeat(long / 5)],
])("a long string with %s is read as JSON.parse reads it", (_, text) => {
  const value = { before: "<", text, after: [text.slice(0, 3)] };
  expect(parse(JSON.stringify(value))).toEqual(value);
});

test.each([
  ["", SyntaxError],
  ['{"a"', SyntaxError],
  ['"no end', SyntaxError],
  [`["${"x".repeat(long)}\n"]`, SyntaxError],
  [`["${"x".repeat(long)}" 1]`, SyntaxError],
  ["[".repeat(jsonLimits.depth + 1), RangeError],
  [`[${"1,".repeat(jsonLimits.parts)}1]`, RangeError],
])("what is no message is refused, and not quoted", (text, kind) => {
  let error: unknown;
  try {
    parse(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(kind);
  expect(String(error)).not.toMatch(/xx|\[\[|1,1/);
});
