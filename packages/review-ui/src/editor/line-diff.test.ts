import { Change, Chunk } from "@codemirror/merge";
import { EditorState, type Text } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactText } from "./exact-text.ts";
import { takingBack } from "./hunks.ts";
import { adoptBlanks, diffInDetail, diffLines } from "./line-diff.ts";

const hostileText = fc
  .array(fc.constantFrom("a", "b", "aa ", "\n", "\n", "\r\n", "\r", "\ufeff", "\0", "\ud800", "😀", "\t"), {
    maxLength: 30,
  })
  .map((parts) => parts.join(""));

const docOf = (text: string): Text => EditorState.create({ doc: text, extensions: exactText(text) }).doc;

/** Empty lines that come and go among others, where something else changes as well. */
const emptyLines: [before: string, after: string][] = [
  ["one\n\n", "1\n\n\n"],
  ["\n\r\n\n\n", "a\n\r\n\n"],
  ["\na\r\n\n\n", "a\r\n\n"],
  ["\n\n\n\n", "\r\n\n\n\n\n\r\n\n"],
];

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
  for (const [name, diff] of Object.entries({
    diffInDetail,
    diffLines,
  })) {
    test(`by ${name} turns the one text into the other`, () => {
      fc.assert(
        fc.property(hostileText, hostileText, (before, after) => {
          expect(apply(before, after, diff(before, after))).toBe(after);
        }),
        { numRuns: 300 },
      );
    });

    test(`by ${name} is the original again when every hunk is reverted, code unit by code unit`, () => {
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
        { numRuns: 300, examples: emptyLines },
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

  describe("of texts with more distinct lines than 16 bits can name", () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`);
    const before = lines.join("");

    test("shows each changed line, not the rest of the text as one change", () => {
      const after = lines.map((line, index) => (index % 1000 === 500 ? `new ${index}\n` : line)).join("");
      const changes = diffLines(before, after);
      expect(changes).toHaveLength(200);
      expect(apply(before, after, changes)).toBe(after);
      expect(changes[0]).toMatchObject({
        fromA: before.indexOf("line 500\n"),
        toA: before.indexOf("line 501\n"),
      });
    });

    test("shows lines that were moved, removed and added", () => {
      const moved = [...lines.slice(0, 10), ...lines.slice(20, 150_000), ...lines.slice(10, 20)];
      const after = [...moved, "new\n", ...lines.slice(150_000, 199_000)].join("");
      const changes = diffLines(before, after);
      expect(changes).toHaveLength(3);
      expect(apply(before, after, changes)).toBe(after);
    });

    test("is right and quick where nothing is in its order", () => {
      const after = lines.toReversed().join("");
      expect(apply(before, after, diffLines(before, after))).toBe(after);
    });

    test("is right where no line occurs once only", () => {
      const after = before + before;
      const changes = diffLines(after, `${before}new\n${before}`);
      expect(apply(after, `${before}new\n${before}`, changes)).toBe(`${before}new\n${before}`);
      expect(changes.length).toBeGreaterThan(0);
      expect(apply(before, after, diffLines(before, after))).toBe(after);
    });
  });
});

describe("a text with the blanks of another one", () => {
  const withoutBlanks = (text: string) => text.replaceAll(/[ \t\r]+/g, "");

  test("is the same but for blanks, line by line", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (before, after) => {
        const adopted = adoptBlanks(before, after);
        expect(adopted.split("\n").map(withoutBlanks)).toEqual(before.split("\n").map(withoutBlanks));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["is the other where only blanks differ", "a\n b\n\n\tc", "  a\nb \n\r\n c", undefined],
    ["keeps its own last newline", "a\nb\n", "a\n  b", "a\n  b\n"],
    ["keeps lines that differ in more", "one\n two\nthree\n", "ONE\ntwo\n\nthree\n", "one\ntwo\nthree\n"],
  ])("%s", (_, before, after, expected = after) => {
    expect(adoptBlanks(before, after)).toBe(expected);
  });
});
