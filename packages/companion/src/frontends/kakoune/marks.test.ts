import { expect, test } from "vitest";
import { placeHunks } from "../../core/hunks.ts";
import { changeText, markChanges, revertChange, showRemoved, withLines } from "./marks.ts";

const hunks = (before: string, after: string) => withLines(placeHunks(before, after), before, after);
const first = (before: string, after: string) => {
  const [hunk] = hunks(before, after);
  if (!hunk) throw new Error("no change");
  return hunk;
};

test("changes are marked in the gutter as git's are, and in the text by their bytes", () => {
  const [flags, ranges, removed, changes] = markChanges(
    hunks("one\ntwo\nthree\nfour\n", "eins 😀\nextra\ntwo\nfour\n"),
  );
  expect(flags).toBe(
    "set-option buffer ide_companion_flags %val{timestamp} '1|{blue}~' '2|{green}+' '3|{red}_'",
  );
  expect(ranges).toBe(
    "set-option buffer ide_companion_ranges %val{timestamp} '1.1+9|IdeCompanionChange' '2.1+5|IdeCompanionChange'",
  );
  expect(removed).toBe(
    "set-option buffer ide_companion_removed %val{timestamp} '1.10+0|{IdeCompanionRemoved}  ← one'",
  );
  expect(changes).toBe("set-option buffer ide_companion_changes %val{timestamp} '1|' '3|'");
});

test("lines that are missing before the first one are marked there", () => {
  expect(markChanges(hunks("one\ntwo\n", "two\n"))[0]).toContain("'1|{red}‾'");
});

test("what a line replaces stands behind it, whatever it holds", () => {
  const [, , removed] = markChanges(hunks("a\t{b} \\ | \x1b\n", "new\n"));
  expect(removed).toContain(String.raw`'1.4+0|{IdeCompanionRemoved}  ← a    \\{b} \\\\ \| \\\\x1b'`);
});

test("what has no room behind its lines is shown in a box, away from them", () => {
  expect(showRemoved("client0", first("it's\n%{x\n", "new\n"))).toEqual([
    "evaluate-commands -client 'client0' 'info -title ''replaced'' ''it''''s\n%{x'''",
  ]);
  expect(showRemoved("client0", first("o".repeat(90), "new\n"))).toHaveLength(1);
  expect(showRemoved("client0", first("one\n", "two\n"))).toEqual([]);
  expect(showRemoved("client0", first("one\n", "one\ntwo\n"))).toEqual([]);
});

test("at most twelve replaced lines are shown", () => {
  const [command] = showRemoved("c", first("old\n".repeat(14), "new\n"));
  expect(command).toContain("… and 2 more lines");
});

test.each([
  ["a change", "one\ntwo\n", "one\n2\n3\n", "select 2.1,3.1", "two\n", "xR"],
  ["an addition", "one\n", "one\ntwo\n", "select 2.1,2.1", "", "xd"],
  ["a removal", "one\ntwo\n", "one\n", "select 1.1,1.1", "two\n", "p"],
  ["a removal at the top", "one\ntwo\n", "two\n", "select 1.1,1.1", "one\n", "P"],
])("%s is reverted", (_, before, after, select, text, keys) => {
  const [command = ""] = revertChange(first(before, after));
  expect(command).toContain(select);
  expect(command).toContain(`set-register dquote ''${text}''`);
  expect(command).toContain(`execute-keys ${keys}`);
});

test("a reverted line gets its return again, unless that is in the buffer's option", () => {
  const mixed = revertChange(first("one\nold\r\n", "one\nnew\r\n"));
  expect(mixed[0]).toContain("set-register dquote ''old\r\n''");
  const all = revertChange(first("one\r\nold\r\n", "one\r\nnew\r\n"));
  expect(all[0]).toContain("set-register dquote ''old\n''");
});

test("a buffer is given another text by the lines that differ, those below first", () => {
  const [text, content] = ["one\ntwo\nthree\n", "1\ntwo\nthree\nfour\n"];
  const commands = changeText(placeHunks(text, content), text, content);
  expect(commands).toEqual([
    expect.stringMatching(/select 3\.1,3\.1\nset-register dquote ''four\n''\nexecute-keys p/),
    expect.stringMatching(/select 1\.1,1\.1\nset-register dquote ''1\n''\nexecute-keys xR/),
  ]);
});
