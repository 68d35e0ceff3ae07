import fc from "fast-check";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { LineText } from "./document.ts";

const position = fc.record({ line: fc.nat(6), character: fc.nat(6) });
const text = fc
  .array(fc.constantFrom("a", "b", "\r", "\n", "\r\n", "😀"), { maxLength: 12 })
  .map((parts) => parts.join(""));

/** The same edit by another's hand, whose text is split into lines as if it were new. */
function edited(before: string, range: { start: typeof origin; end: typeof origin }, newText: string) {
  return TextDocument.applyEdits(TextDocument.create("", "", 0, before), [{ range, newText }]);
}
const origin = { line: 0, character: 0 };

test("any edits give the text that they give elsewhere, wherever line ends are cut or joined", () => {
  const edit = fc.tuple(position, position, text);
  fc.assert(
    fc.property(text, fc.array(edit, { maxLength: 8 }), position, position, (first, edits, from, to) => {
      const lines = new LineText(first);
      let expected = first;
      for (const [start, end, newText] of edits) {
        lines.replace({ start, end }, newText);
        expected = edited(expected, { start, end }, newText);
        expect(lines.get()).toBe(expected);
      }
      const document = TextDocument.create("", "", 0, expected);
      const [one, other] = [document.offsetAt(from), document.offsetAt(to)];
      const part = expected.slice(Math.min(one, other), Math.max(one, other));
      expect(lines.get({ start: from, end: to })).toBe(part);
      expect(lines.get(lines.range)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test("a change ends where the text differs last from what it replaces", () => {
  const lines = new LineText("one\ntwo\nthree\n");
  const all = lines.range;
  expect(lines.replace(all, "one\ntwo!\nthree\n")).toEqual({ line: 1, character: 4 });
  expect(lines.replace(lines.range, "one\ntwo!\nthree\n")).toBeUndefined();
  const position = { line: 1, character: 4 };
  expect(lines.replace({ start: position, end: position }, "\n?")).toEqual({ line: 2, character: 1 });
});

test("where returns end no lines, a change below one stands in the line that the editor counts", () => {
  const lines = new LineText("one\rstill one\nold\r\nlast\r", false);
  const range = (line: number, from: number, to: number) => ({
    start: { line, character: from },
    end: { line, character: to },
  });
  expect(lines.replace(range(1, 0, 9), "new\rstill new")).toEqual({ line: 1, character: 13 });
  lines.replace(range(2, 5, 5), "!");
  expect(lines.get()).toBe("one\rstill one\nnew\rstill new\r\nlast\r!");
  expect(lines.copy().get(range(0, 4, 9))).toBe("still");
});

test("a copy keeps its text", () => {
  const lines = new LineText("one");
  const copy = lines.copy();
  lines.replace(lines.range, "two");
  expect([lines.get(), copy.get()]).toEqual(["two", "one"]);
});
