import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { exactText } from "./open-proposal.ts";

vi.mock("vscode", () => ({}));

/** Opens a text as VS Code does: without its byte order mark, and with the most frequent line end everywhere. */
function open(text: string): string {
  const body = text.replace(/^\uFEFF/, "");
  const ends = body.match(/\r\n|\r|\n/g) ?? [];
  const crlf = ends.filter((end) => end === "\r\n").length;
  return body.replace(/\r\n|\r|\n/g, crlf > ends.length / 2 ? "\r\n" : "\n");
}

const edited = (proposed: string, edit: (text: string) => string) => {
  const opened = open(proposed);
  return exactText(proposed, [opened, edit(opened)]);
};

test("an unedited text is returned exactly as the agent sent it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\r", "\n", "\r\n", "\uFEFF", "\u2028", "😀", "\0") });
  fc.assert(fc.property(text, (proposed) => edited(proposed, (same) => same) === proposed));
});

test("a byte order mark, which VS Code hides, survives an edit", () => {
  expect(edited("\uFEFFone\ntwo", (text) => text.replace("two", "2"))).toBe("\uFEFFone\n2");
});

test("the edited text has the line ends of the proposal, when they are all the same", () => {
  expect(edited("one\r\ntwo\r\n", (text) => text.replace("two", "2\r\n3"))).toBe("one\r\n2\r\n3\r\n");
  expect(edited("one\rtwo\r", (text) => text.replace("two", "2\n3"))).toBe("one\r2\r3\r");
});

test("unchanged lines have their own end when line ends are mixed", () => {
  const proposed = "a\r\nb\nc\r\nd\ne";
  expect(edited(proposed, (text) => text.replace("c", "C"))).toBe("a\r\nb\nC\r\nd\ne");
  expect(edited(proposed, (text) => text.replace("b\n", ""))).toBe("a\r\nc\r\nd\ne");
  expect(edited(proposed, (text) => text.replace("d", "d\nnew"))).toBe("a\r\nb\nc\r\nd\nnew\ne");
  expect(edited(proposed, (text) => `${text}\nf\n`)).toBe("a\r\nb\nc\r\nd\ne\nf\n");
});

test("after any edit, the lines are those that the user sees", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 1 });
  const texts = fc.array(fc.tuple(line, fc.constantFrom("\r\n", "\n", "\r")), { maxLength: 8 });
  const join = (lines: readonly (readonly [string, string])[]) => lines.flat().join("");
  const plain = (text: string) => text.replace(/\r\n|\r|\n/g, "\n");
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const [proposed, current] = [join(before), open(join(after))];
      expect(plain(exactText(proposed, [open(proposed), current]))).toBe(plain(current));
    }),
  );
});

test("an emptied text is empty", () => {
  expect(edited("one\r\ntwo\n", () => "")).toBe("");
});
