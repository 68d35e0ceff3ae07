import { expect, test } from "vitest";
import { createSessionContext, type Look, parseLook, parseMention } from "./session-context.ts";

const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 5 } };

const look = (buffer: string, files: readonly string[], selectedText = ""): Look => ({
  session: "s",
  client: "client0",
  buffer,
  timestamp: "1",
  cursor: { line: 1, character: 1 },
  selectedText,
  selection: selectedText === "" ? undefined : selection,
  files,
});

function start() {
  let time = 0;
  return createSessionContext(
    (path) => path.startsWith("/ours/"),
    () => {
      time += 1;
      return time;
    },
  );
}

test("the file that is looked at is the active one, and keeps its time when another is", () => {
  const context = start();
  context.take(look("/a", ["/a", "/b"]));
  expect(context.take(look("/b", ["/a", "/b"], "text"))).toEqual({
    files: [
      { path: "/a", focusedAt: 1 },
      { path: "/b", focusedAt: 2, cursor: { line: 1, character: 1 }, selectedText: "text", selection },
    ],
    activePath: "/b",
  });
});

test("a scratch buffer and a proposal leave the file active that was before", () => {
  const context = start();
  context.take(look("/a", ["/a"]));
  expect(context.take(look("*scratch*", ["/a"])).activePath).toBe("/a");
  const neighbour = context.take(look("/ours/1/a", ["/a", "/ours/1/a"]));
  expect(neighbour.activePath).toBe("/a");
  expect(neighbour.files.map(({ path }) => path)).toEqual(["/a"]);
});

test("a file that was closed is gone", () => {
  const context = start();
  context.take(look("/a", ["/a", "/b"]));
  expect(context.take(look("*scratch*", ["/b"]))).toEqual({ files: [{ path: "/b", focusedAt: 0 }] });
});

const parse = (words: readonly string[]) => parseLook(["name", "client0", "/w/a.txt", "7", ...words]);

const parsed = (toCursor: string, selection: string, ...files: readonly string[]) =>
  parse(["3", toCursor, "3", toCursor, selection, ...files]);

test("a look has its place, and the files that are open on disk", () => {
  expect(parsed("ab", "b", "/w/a.txt", "*scratch*", "/w/it's.txt")).toEqual({
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
  expect(parsed("a", "a")?.cursor.character).toBe(1);
  expect(parsed("😀", "😀")?.cursor.character).toBe(1);
  expect(parsed("é😀b", "b")?.cursor.character).toBe(4);
  expect(parsed("ab\n", "\n")?.cursor.character).toBe(3);
});

test("one character is a cursor, more are a selection", () => {
  expect(parsed("😀", "😀")?.selectedText).toBe("");
  expect(parsed("ab", "ab")?.selectedText).toBe("ab");
  expect(parsed("a", "two\nlines\n")?.selectedText).toBe("two\nlines\n");
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
  expect(parseLook(undefined)).toBeUndefined();
  expect(parseLook(["name", "client0", "/w/a.txt", "7"])).toBeUndefined();
});

test.each([
  ["3.1,5.2", { first: 3, last: 5 }],
  ["5.2,3.1", { first: 3, last: 5 }],
  ["9.1,1.1", undefined],
  ["9.1,9.4", { first: 9, last: 9 }],
])("the selection %s of nine lines is sent as whole lines, all of them as the file", (selection, lines) => {
  expect(parseMention(["/w/it's.txt", "9", selection])).toEqual({
    path: "/w/it's.txt",
    ...(lines && { lines }),
  });
  expect(parseMention(undefined)).toBeUndefined();
});
