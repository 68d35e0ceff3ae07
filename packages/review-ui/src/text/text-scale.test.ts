import { expect, test } from "vitest";
import { createWording } from "../language/language.ts";
import { explainScale, measureText } from "./text-scale.ts";

const { t } = createWording();

test("a text of an ordinary size has nothing switched off", () => {
  expect(explainScale(measureText("a\n".repeat(1000)), "diff", t)).toBeUndefined();
});

test("the sentence about a large text lists what is switched off", () => {
  expect(explainScale(measureText("a\n".repeat(1_100_000)), "file", t)).toBe(
    "Large file (over 2 MB). Switched off: highlighting. The text itself is complete.",
  );
});

test("a long line is found wherever it is", () => {
  const long = "x".repeat(10_001);
  for (const text of [long, `a\n${long}\nb`, `a\n${long}`]) expect(measureText(text).hasLongLine).toBe(true);
  expect(measureText(`${"x".repeat(9999)}\n`.repeat(3)).hasLongLine).toBe(false);
});
