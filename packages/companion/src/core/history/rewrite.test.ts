import { expect, test } from "vitest";
import type { PastDecision } from "./past-decision.ts";
import { reapply, undo } from "./rewrite.ts";

const lines = (...numbers: readonly (number | string)[]) => numbers.map((each) => `${each}\n`).join("");
const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
const proposed = lines(1, "two", 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);

function decision(texts: PastDecision["texts"], outcome: PastDecision["outcome"] = "accepted"): PastDecision {
  const about = { id: "00000001", at: 0, agent: "Gemini CLI", filePath: "/a", code: "accepted" as const };
  return { ...about, outcome, ...(texts && { texts }) };
}

test("a change is taken out of a file that holds it as accepted", () => {
  expect(undo(decision({ before, proposed }), proposed)).toEqual({ kind: "change", text: before });
  const accepted = `mine\n${proposed}`;
  expect(undo(decision({ before, proposed, accepted }), accepted)).toEqual({ kind: "change", text: before });
});

test("what has changed elsewhere since stays, also when it moves the lines", () => {
  const now = `new\nlines\n${proposed.replace("11\n", "eleven\n")}`;
  const text = `new\nlines\n${before.replace("11\n", "eleven\n")}`;
  expect(undo(decision({ before, proposed }), now)).toEqual({ kind: "change", text });
});

test("a file that has changed in the same place is left alone, with a reason", () => {
  const now = proposed.replace("two\n", "zwei\n");
  expect(undo(decision({ before, proposed }), now)).toEqual({
    kind: "impossible",
    reason: "changed-since",
  });
});

const twice = "open\nvalue 1\nclose\nopen\nvalue 1\nclose\n";
const changedFirst = twice.replace("value 1", "value 2");

test.each([
  ["its own place has changed", "open\nmine\nclose\nopen\nvalue 2\nclose\n"],
  ["its own place is gone", "open\nvalue 2\nclose\n"],
  ["a line next to it is gone", "open\nvalue 2\nopen\nvalue 2\nclose\n"],
  ["nobody can tell which of equal blocks it is", "open\nvalue 2\nclose\nopen\nvalue 2\nclose\n"],
])("an equal block elsewhere is not changed when %s", (_, now) => {
  const accepted = "open\nvalue 2\nclose\nopen\nvalue 2\nclose\nopen\nvalue 2\nclose\n";
  const former = accepted.replace("value 2", "value 1");
  expect(undo(decision({ before: former, proposed: accepted }), now)).toEqual({
    kind: "impossible",
    reason: "changed-since",
  });
  expect(reapply(decision({ before: accepted, proposed: former }), now)).toEqual({
    kind: "impossible",
    reason: "changed-since-reapply",
  });
});

test("a change between equal blocks is undone in its own place, wherever that has moved", () => {
  const now = `new\n${changedFirst}more\n`;
  expect(undo(decision({ before: twice, proposed: changedFirst }), now)).toEqual({
    kind: "change",
    text: `new\n${twice}more\n`,
  });
});

test.each(["\r\n", "\uFEFF", "\uFEFF\r\n"])("line ends and byte order mark of the file stay: %j", (form) => {
  const onDisk = (text: string) =>
    (form.startsWith("\uFEFF") ? "\uFEFF" : "") +
    (form.endsWith("\n") ? text.replaceAll("\n", "\r\n") : text);
  expect(undo(decision({ before: onDisk(before), proposed }), onDisk(proposed))).toEqual({
    kind: "change",
    text: onDisk(before),
  });
});

test("a file that the change has made is deleted, unless it has changed since", () => {
  expect(undo(decision({ before: null, proposed }), proposed)).toEqual({ kind: "change", text: null });
  expect(undo(decision({ before: null, proposed }), `${proposed}x`)).toMatchObject({ kind: "impossible" });
  expect(undo(decision({ before: null, proposed }), undefined)).toEqual({ kind: "nothing" });
});

test("a file whose lines end in different ways is left alone", () => {
  expect(undo(decision({ before, proposed }), proposed.replace("1\n", "1\r\n"))).toMatchObject({
    kind: "impossible",
  });
});

test("there is nothing to undo where the file holds nothing of the change, and where it was not accepted", () => {
  expect(undo(decision({ before, proposed }), before)).toEqual({ kind: "nothing" });
  expect(undo(decision({ before, proposed }), `new\n${before}`)).toEqual({ kind: "nothing" });
  expect(undo(decision({ before, proposed }), undefined)).toMatchObject({ kind: "impossible" });
  expect(undo(decision({ before, proposed }, "rejected"), proposed)).toMatchObject({ kind: "impossible" });
  expect(undo(decision(undefined), proposed)).toMatchObject({ kind: "impossible" });
  expect(undo(decision({ proposed }), proposed)).toMatchObject({ kind: "impossible" });
});

test("the user's version comes back into a file that has lost it, next to what has changed elsewhere", () => {
  const now = `new\nlines\n${before.replace("11\n", "eleven\n")}`;
  const text = `new\nlines\n${proposed.replace("11\n", "eleven\n")}`;
  expect(reapply(decision({ before, proposed }), now)).toEqual({ kind: "change", text });
  const accepted = proposed.replace("two\n", "mine\n");
  expect(reapply(decision({ before, proposed, accepted }), before)).toEqual({
    kind: "change",
    text: accepted,
  });
});

test("a rejected change can be accepted afterwards, with what the user had typed in it or without", () => {
  const edited = proposed.replace("two\n", "mine\n");
  expect(reapply(decision({ before, proposed, edited }, "rejected"), before)).toEqual({
    kind: "change",
    text: edited,
  });
  const now = `new\n${before}`;
  for (const outcome of ["rejected", "closed"] as const) {
    expect(reapply(decision({ before, proposed }, outcome), now)).toEqual({
      kind: "change",
      text: `new\n${proposed}`,
    });
  }
});

test("there is nothing to apply where the file holds the user's version", () => {
  expect(reapply(decision({ before, proposed }), proposed)).toEqual({ kind: "nothing" });
  expect(reapply(decision({ before, proposed }), `new\n${proposed}`)).toEqual({ kind: "nothing" });
  expect(reapply(decision({ before: null, proposed }), proposed)).toEqual({ kind: "nothing" });
});

test("a version is not put over what has changed in the same places, nor over another new file", () => {
  const now = before.replace("2\n", "zwei\n");
  expect(reapply(decision({ before, proposed }), now)).toMatchObject({
    kind: "impossible",
    reason: "changed-since-reapply",
  });
  expect(reapply(decision({ before: null, proposed }), "other")).toMatchObject({ kind: "impossible" });
  expect(reapply(decision({ before, proposed }), undefined)).toMatchObject({ kind: "impossible" });
  expect(reapply(decision({ before, proposed }), before.replace("1\n", "1\r\n"))).toMatchObject({
    kind: "impossible",
  });
});

test("a new file that is gone is made once more, and line ends of a file stay", () => {
  expect(reapply(decision({ before: null, proposed }), undefined)).toEqual({
    kind: "change",
    text: proposed,
  });
  const onDisk = (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
  expect(reapply(decision({ before: onDisk(before), proposed }), onDisk(before))).toEqual({
    kind: "change",
    text: onDisk(proposed),
  });
});
