import { expect, test } from "vitest";
import { OrderedText } from "./document.ts";

/** A letter that is typed behind others in the first line. */
function typed(letter: string, character: number) {
  const position = { line: 0, character };
  return [{ range: { start: position, end: position }, text: letter }];
}

test("letters that overtake each other stand in the order in which they were typed", () => {
  const text = new OrderedText("", 1);
  // As Helix has sent "qhkkbtyfvjabog" once.
  const sent = [2, 8, 9, 12, 10, 11, 13, 14, 4, 3, 6, 5, 7, 15];
  for (const version of sent) text.edit(typed("qhkkbtyfvjabog".charAt(version - 2), version - 2), version);
  expect([text.get(), text.version]).toEqual(["qhkkbtyfvjabog", 15]);
});

test("a whole text that comes late is followed by what was typed after it", () => {
  const text = new OrderedText("old", 1);
  text.edit(typed("!", 3), 3);
  text.edit([{ text: "new" }], 2);
  expect([text.get(), text.version]).toEqual(["new!", 3]);
});

test("any number of changes may have gone before", () => {
  const text = new OrderedText("", 1);
  for (let n = 0; n < 1000; n += 2) {
    text.edit(typed("b", n + 1), n + 3);
    text.edit(typed("a", n), n + 2);
  }
  expect(text.get()).toBe("ab".repeat(500));
});

test("versions that stay the same, or leave numbers out, count as they come", () => {
  const text = new OrderedText("", 0);
  text.edit(typed("a", 0), 0);
  text.edit(typed("b", 1), 0);
  text.edit(typed("c", 2), 7);
  expect([text.get(), text.version]).toEqual(["abc", 7]);
});

test("of several changes at once the last one counts that changes something", () => {
  const text = new OrderedText("one\ntwo\nthree\n", 1);
  const position = (line: number, character: number) => {
    const here = { line, character };
    return { start: here, end: here };
  };
  const end = text.edit(
    [
      { range: position(0, 0), text: "zero\n" },
      { range: position(2, 3), text: "!" },
      { range: position(3, 0), text: "" },
    ],
    2,
  );
  expect([text.get(), end]).toEqual(["zero\none\ntwo!\nthree\n", { line: 2, character: 4 }]);
});

test("the cursor follows what was typed last, though it came first", () => {
  const text = new OrderedText("", 1);
  text.edit(typed("b", 1), 3);
  expect(text.edit(typed("a", 0), 2)).toEqual({ line: 0, character: 2 });
});
