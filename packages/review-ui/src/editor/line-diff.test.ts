import { Change, Chunk } from "@codemirror/merge";
import { EditorState, type Text } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactText } from "./exact-text.ts";
import { takingBack } from "./hunks.ts";
import { createLargeDiff, diffInDetail, diffLines } from "./line-diff.ts";

const hostileText = fc
  .array(fc.constantFrom("a", "b", "aa ", "\n", "\n", "\r\n", "\r", "\ufeff", "\0", "\ud800", "😀", "\t"), {
    maxLength: 30,
  })
  .map((parts) => parts.join(""));

const docOf = (text: string): Text => EditorState.create({ doc: text, extensions: exactText(text) }).doc;

/** Rebuilds the second text from the first and the changes. */
function apply(before: string, after: string, changes: readonly Change[]): string {
  let result = "";
  let at = 0;
  for (const { fromA, toA, fromB, toB } of changes) {
    result += before.slice(at, fromA) + after.slice(fromB, toB);
    at = toA;
  }
  return result + before.slice(at);
}

describe("a difference", () => {
  for (const [name, diff] of Object.entries({ diffInDetail, diffLines, largeDiff: createLargeDiff() })) {
    test(`by ${name} turns the one text into the other`, () => {
      fc.assert(
        fc.property(hostileText, hostileText, (before, after) => {
          expect(apply(before, after, diff(before, after))).toBe(after);
        }),
        { numRuns: 300 },
      );
    });

    test(`by ${name} is the original again when every hunk is taken back, code unit by code unit`, () => {
      fc.assert(
        fc.property(hostileText, hostileText, (before, after) => {
          const original = docOf(before);
          let state = EditorState.create({ doc: after, extensions: exactText(after) });
          const chunks = Chunk.build(original, state.doc, { override: diff });
          for (const chunk of chunks.toReversed()) {
            state = state.update({ changes: takingBack(chunk, original, state.doc), filter: false }).state;
          }
          expect(state.doc.toString()).toBe(before);
        }),
        { numRuns: 300 },
      );
    });
  }

  test("is found by lines, not by the letters that unrelated lines share", () => {
    const before = "one();\nreturn items.reduce((sum, item) => sum + item.price);\nend();\n";
    const after = "one();\nlet sum = 0;\nfor (const item of items) sum += item.price;\nend();\n";
    expect(diffInDetail(before, after)).toEqual([new Change(7, before.length - 7, 7, after.length - 7)]);
  });

  test("is shown within a line when most of the line is the same", () => {
    expect(diffInDetail("const total = 1;\n", "const total = 2;\n")).toEqual([new Change(14, 15, 14, 15)]);
  });

  test("of a large block stays one block while it is typed in", () => {
    const diff = createLargeDiff();
    const [before, after] = ["a\n".repeat(600_000), "b\n".repeat(600_000)];
    expect(diff(before, after)).toHaveLength(1);
    const typed = `a\nx${after.slice(2)}`;
    expect(diff(before, typed)).toEqual([new Change(2, before.length, 2, typed.length)]);
  });

  test("of texts with more distinct lines than 16 bits can name is coarser, and right", () => {
    const lines = Array.from({ length: 70_000 }, (_, index) => `line ${index}\n`);
    const before = lines.join("");
    const after = lines.with(69_000, "changed\n").join("");
    expect(apply(before, after, diffLines(before, after))).toBe(after);
  });
});
