import { expect, test } from "vitest";
import { toProposedText } from "./proposal-buffers.ts";

test.each([
  ["one\ntwo\n", "one\n", "one\ntwo\n"],
  ["one\n", "one", "one"],
  ["one\nmore\n", "one", "one\nmore"],
  ["one\n\n", "one", "one\n"],
  ["\n", "", ""],
  ["a\r\nb\r\n", "a\r\nb", "a\r\nb"],
  ["a\r\nc\r\n", "a\r\nb", "a\r\nc"],
])("the buffer %j of the proposal %j is %j", (written, proposed, text) => {
  expect(toProposedText(written, proposed)).toBe(text);
});
