import fc from "fast-check";
import { expect, test } from "vitest";
import { holdsClash, merge, mergeAgain } from "./merge.ts";

const base = "one\ntwo\nthree\nfour\nfive\nsix\n";

test("changes in different places are merged", () => {
  const onDisk = "zero\none\ntwo\nthree\nfour\nfive\nsix\n";
  const proposed = "one\ntwo\nthree\nfour\nFIVE\nsix\nseven";
  expect(merge(base, onDisk, proposed)).toEqual({
    kind: "clean",
    text: "zero\none\ntwo\nthree\nfour\nFIVE\nsix\nseven",
  });
});

test("the same change on both sides is one change", () => {
  const both = base.replace("two", "TWO");
  expect(merge(base, both, both)).toEqual({ kind: "clean", text: both });
  expect(merge(base, both, both.replace("six", "SIX"))).toEqual({
    kind: "clean",
    text: both.replace("six", "SIX"),
  });
});

test("changes of the same lines stand side by side, with what was there before", () => {
  const merged = merge(base, base.replace("two", "mine"), base.replace("two", "theirs"));
  const conflict = "<<<<<<< on disk\nmine\n||||||| before\ntwo\n=======\ntheirs\n>>>>>>> proposed\n";
  expect(merged).toEqual({ kind: "clash", text: `one\n${conflict}three\nfour\nfive\nsix\n` });
  expect([holdsClash(merged.text), holdsClash(base)]).toEqual([true, false]);
});

test("two texts for a file that was not there clash", () => {
  const { kind, text } = merge("", "a", "b\r\n");
  expect(kind).toBe("clash");
  expect(text).toBe("<<<<<<< on disk\r\na\r\n||||||| before\r\n=======\r\nb\r\n>>>>>>> proposed\r\n");
  expect(holdsClash(text)).toBe(true);
});

test("a text of many equal lines is merged in no time", () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => (at % 3 === 0 ? "" : `line ${at % 50}`));
  const text = (change: (lines: string[]) => void) => {
    const copy = [...lines];
    change(copy);
    return copy.join("\n");
  };
  const merged = merge(
    text(() => {}),
    text((copy) => copy.splice(10, 0, "on disk")),
    text((copy) => copy.splice(-5, 1, "proposed")),
  );
  expect(merged).toEqual({
    kind: "clean",
    text: text((copy) => {
      copy.splice(-5, 1, "proposed");
      copy.splice(10, 0, "on disk");
    }),
  });
});

test("what only one side has changed is taken, and every line that a side has put in is in the text", () => {
  const line = fc.constantFrom("a\n", "b\n", "\n", "c\r\n", "d\n");
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(""));
  const own = (name: string) =>
    fc
      .array(fc.tuple(fc.nat(12), fc.nat(2), fc.boolean()), { maxLength: 4 })
      .map((edits) => (from: string) => {
        const lines = from.match(/[^\n]*\n|[^\n]+/g) ?? [];
        for (const [index, [at, removed, adds]] of edits.entries())
          lines.splice(at, removed, ...(adds ? [`${name} ${index}\n`] : []));
        return lines.join("");
      });
  fc.assert(
    fc.property(text, own("mine"), own("theirs"), (before, change, propose) => {
      const [onDisk, proposed] = [change(before), propose(before)];
      expect(merge(before, onDisk, before)).toEqual({ kind: "clean", text: onDisk });
      expect(merge(before, before, proposed)).toEqual({ kind: "clean", text: proposed });
      const merged = merge(before, onDisk, proposed).text;
      for (const each of `${onDisk}${proposed}`.match(/(mine|theirs) \d\n/g) ?? [])
        expect(merged).toContain(each);
    }),
  );
});

test("a clash under which the file changes again and again is the clash with the file as it is now", () => {
  const line = fc.constantFrom("a\n", "b\n", "\n", "c\n", "d");
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join(""));
  fc.assert(
    fc.property(text, text, fc.array(text, { minLength: 2, maxLength: 6 }), (before, proposed, versions) => {
      let [onDisk, shown] = [before, proposed];
      for (const next of versions) {
        shown = mergeAgain(onDisk, next, shown).text;
        onDisk = next;
        expect(shown.match(/^<<<<<<< on disk$/gm)?.length ?? 0).toBeLessThanOrEqual(4);
        expect(shown.length).toBeLessThan(400);
      }
    }),
  );
});

test("a clash is gone when the file is as it was before, and another one where the file says something else", () => {
  const proposed = base.replace("two", "theirs");
  const mine = base.replace("two", "mine");
  const shown = mergeAgain(base, mine, proposed).text;
  expect(mergeAgain(mine, base, shown)).toEqual({ kind: "clean", text: proposed });
  expect(mergeAgain(mine, proposed, shown)).toEqual({ kind: "clean", text: proposed });
  const other = base.replace("two", "other\nlines").replace("six", "SIX");
  expect(mergeAgain(mine, other, shown)).toEqual(merge(base, other, proposed));
});

test("lines that a user has put into a clash, or next to it, stay", () => {
  const mine = base.replace("two", "mine");
  const shown = mergeAgain(base, mine, base.replace("two", "theirs")).text;
  const other = base.replace("two", "other");
  for (const [from, to] of [
    ["theirs", "theirs\ntyped"],
    ["one", "typed\none"],
    [">>>>>>> proposed\nthree", ">>>>>>> proposed\ntyped\nthree"],
    ["||||||| before", "typed"],
    ["=======", "=======\ntyped\n======="],
  ] as const) {
    const { kind, text } = mergeAgain(mine, other, shown.replace(from, to));
    expect([kind, text]).toEqual(["clash", expect.stringContaining("typed")]);
  }
});

test("a text of many broken clashes is merged in no time", () => {
  const broken = "<<<<<<< on disk\n||||||| before\n=======\n".repeat(20_000);
  expect(mergeAgain(base, `zero\n${base}`, broken)).toEqual({ kind: "clash", text: broken });
});
