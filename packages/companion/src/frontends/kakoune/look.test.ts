import { expect, test } from "vitest";
import { parseLook, parseMention } from "./look.ts";
import { quote } from "./words.ts";

const parse = (words: readonly string[]) =>
  parseLook(["name", "client0", "/w/a.txt", "7", ...words, "end"].map(quote).join(" "));

const look = (toCursor: string, selection: string, ...files: readonly string[]) =>
  parse(["3", toCursor, "3", toCursor, selection, ...files]);

test("a look has its place, and the files that are open on disk", () => {
  expect(look("ab", "b", "/w/a.txt", "*scratch*", "/w/it's.txt")).toEqual({
    session: "name",
    client: "client0",
    buffer: "/w/a.txt",
    timestamp: "7",
    cursor: { line: 3, character: 2 },
    selectedText: "",
    selection: undefined,
    files: ["/w/a.txt", "/w/it's.txt"],
  });
});

test("the column counts UTF-16 units before the cursor, which stands on a character", () => {
  expect(look("a", "a")?.cursor.character).toBe(1);
  expect(look("😀", "😀")?.cursor.character).toBe(1);
  expect(look("é😀b", "b")?.cursor.character).toBe(4);
  expect(look("ab\n", "\n")?.cursor.character).toBe(3);
});

test("one character is a cursor, more are a selection", () => {
  expect(look("😀", "😀")?.selectedText).toBe("");
  expect(look("ab", "ab")?.selectedText).toBe("ab");
  expect(look("a", "two\nlines\n")?.selectedText).toBe("two\nlines\n");
});

test("a selection has a range, in whichever direction it was made", () => {
  const range = { start: { line: 3, character: 2 }, end: { line: 4, character: 4 } };
  expect(parse(["4", "é😀", "3", "ab", "b\né😀"])?.selection).toEqual(range);
  expect(parse(["3", "ab", "4", "é😀", "b\né😀"])?.selection).toEqual(range);
  expect(parse(["3", "a😀b", "3", "a😀", "😀b"])?.selection).toEqual({
    start: { line: 3, character: 2 },
    end: { line: 3, character: 5 },
  });
});

test("a selection with the end of a line ends at the start of the next one", () => {
  expect(parse(["3", "ab\n", "3", "a", "ab\n"])?.selection).toEqual({
    start: { line: 3, character: 1 },
    end: { line: 4, character: 1 },
  });
});

test("a look that is still being written is none", () => {
  expect(parseLook("")).toBeUndefined();
  expect(parseLook("'name' 'client0' '/w/a.txt' '7'")).toBeUndefined();
});

test.each([
  ["3.1,5.2", { start: { line: 3, character: 1 }, end: { line: 6, character: 1 } }],
  ["5.2,3.1", { start: { line: 3, character: 1 }, end: { line: 6, character: 1 } }],
  ["9.1,1.1", undefined],
  ["9.1,9.4", { start: { line: 9, character: 1 }, end: { line: 10, character: 1 } }],
])("the selection %s of nine lines is sent as whole lines, all of them as the file", (selection, range) => {
  const text = ["/w/it's.txt", "9", selection, "end"].map(quote).join(" ");
  expect(parseMention(text)).toEqual({ path: "/w/it's.txt", ...(range && { range }) });
  expect(parseMention(text.slice(0, -5))).toBeUndefined();
});
