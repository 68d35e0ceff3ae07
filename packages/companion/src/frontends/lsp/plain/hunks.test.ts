import fc from "fast-check";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { findHunks } from "../../../core/hunks.ts";
import { rangeOf, revert, touches } from "./hunks.ts";

const at = (line: number, character: number) => ({ line, character });

test("a change stands in the line that the editor counts, whatever it makes of a return alone", () => {
  const [before, after] = ["one\rstill one\nold\r\n", "one\rstill one\nnew\r\n"];
  expect(findHunks(before, after)).toEqual([{ line: 2, added: ["new\r\n"], removed: ["old\r\n"] }]);
  expect(findHunks(before, after, false)).toEqual([{ line: 1, added: ["new\r\n"], removed: ["old\r\n"] }]);
});

test("equal texts have no hunk", () => {
  expect(findHunks("one\ntwo", "one\ntwo")).toEqual([]);
});

test("a change, an addition and a removal are separate hunks", () => {
  expect(findHunks("a\nb\nc\nd\ne\n", "a\nB\nc\nx\nd\n")).toEqual([
    { line: 1, added: ["B\n"], removed: ["b\n"] },
    { line: 3, added: ["x\n"], removed: [] },
    { line: 5, added: [], removed: ["e\n"] },
  ]);
});

test("a function that is added after another one begins where VS Code shows it green, not within the other", () => {
  const first = ["function one() {\n", "  go();\n", "}\n", "\n"];
  const second = ["function two() {\n", "  go();\n", "}\n", "\n"];
  const [one, both] = [[...first, "end\n"].join(""), [...first, ...second, "end\n"].join("")];
  const block = ["\n", ...second.slice(0, -1)];
  expect(findHunks(one, both)).toEqual([{ line: 3, added: block, removed: [] }]);
  expect(findHunks(both, one)).toEqual([{ line: 3, added: [], removed: block }]);
  const method = ["  a() {\n", "  }\n", "\n"];
  const nested = ["class A {\n", ...method, "  b() {\n", "  }\n", "}\n"];
  expect(
    findHunks(nested.join(""), [...nested.slice(0, -1), "\n", "  c() {\n", "  }\n", "}\n"].join("")),
  ).toEqual([{ line: 6, added: ["\n", "  c() {\n", "  }\n"], removed: [] }]);
});

test("a last line that loses its end is a change", () => {
  expect(findHunks("a\nb\n", "a\nb")).toEqual([{ line: 1, added: ["b"], removed: ["b\n"] }]);
});

test("a hunk is touched by every range that meets one of its lines", () => {
  const [hunk] = findHunks("a\nb\nc\n", "a\nX\nY\nc\n");
  const touching = [0, 1, 2, 3].filter(
    (line) => hunk && touches(hunk, { start: at(line, 0), end: at(line, 0) }),
  );
  expect(touching).toEqual([1, 2]);
  expect(hunk && rangeOf(hunk)).toEqual({ start: at(1, 0), end: at(2, 1) });
});

test("missing lines are touched from both sides", () => {
  const [hunk] = findHunks("a\nb\nc\n", "a\nc\n");
  const touching = [0, 1, 2].filter(
    (line) => hunk && touches(hunk, { start: at(line, 0), end: at(line, 0) }),
  );
  expect(touching).toEqual([0, 1]);
});

test("whatever was changed, reverting every hunk gives the original, byte for byte", () => {
  const line = fc.constantFrom("a", "b", "c", "\r\n", "\n", "\r", "x\n", "y\r\n", "");
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(""));
  fc.assert(
    fc.property(text, text, (original, draft) => {
      const document = TextDocument.create("file:///a", "", 1, draft);
      const edits = findHunks(original, draft).map(revert);
      expect(TextDocument.applyEdits(document, edits)).toBe(original);
    }),
  );
});
