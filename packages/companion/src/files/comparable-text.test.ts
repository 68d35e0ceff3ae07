import { expect, test } from "vitest";
import { findFaintDifference, toComparable } from "./comparable-text.ts";

test("a proposal with LF alone is compared with a CRLF file line by line", () => {
  expect(toComparable("a\r\nb\r\n", "a\nc\n")).toEqual({ text: "a\nb\n", lineEndings: "CRLF" });
  expect(toComparable("a\r\nb\nc\rd", "a\nc\n")).toEqual({ text: "a\nb\nc\rd", lineEndings: "mixed" });
  expect(toComparable("\na\r\n", "a")).toEqual({ text: "\na\n", lineEndings: "mixed" });
});

test("a byte order mark that the proposal lacks is no change", () => {
  expect(toComparable("\uFEFFa\n", "b\n")).toEqual({ text: "a\n", byteOrderMark: true });
  expect(toComparable("\uFEFFa\n", "\uFEFFb\n")).toEqual({ text: "\uFEFFa\n" });
});

test("what the proposal has itself is compared as it stands", () => {
  expect(toComparable("a\r\nb\r\n", "a\r\nb\n")).toEqual({ text: "a\r\nb\r\n" });
  expect(toComparable("a\nb", "a\r\nb")).toEqual({ text: "a\nb" });
  expect(toComparable("a\rb", "a\nb")).toEqual({ text: "a\rb" });
});

test.each([
  ["none", "a\nb\n", "a\nb\n"],
  ["none", "\uFEFFa\r\nb\r\n", "a\nb\n"],
  ["line-ends", "a\nb\n", "a\r\nb\r\n"],
  ["byte-order-mark", "a\n", "\uFEFFa\n"],
  ["last-newline", "a\nb", "a\nb\n"],
  ["last-newline", "a\nb\n", "a\nb"],
  ["white-space", "all:\n        go\n", "all:\n\tgo\n"],
  ["white-space", "a b\n", "ab\n\n"],
  [undefined, "a\n", "b\n"],
] as const)(
  "what nobody sees in a comparison of lines has a name: %s of %j and %j",
  (difference, before, after) => {
    expect(findFaintDifference(before, after)).toBe(difference);
  },
);
