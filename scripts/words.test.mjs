import { expect, test } from "vitest";
import { wordsIn } from "./words.mjs";

test("a word is found alone, within names, in capitals and in another form", () => {
  const text =
    "// the door\nconst openDoors = DOOR_NAME;\nimport { doorName } from './door-name.ts';\nIt mended that.";
  expect(wordsIn(text)).toEqual([
    "1: door; say: frontend",
    "2: Doors; say: frontend",
    "2: DOOR; say: frontend",
    "3: door; say: frontend",
    "3: door; say: frontend",
    "4: mended; say: fix",
  ]);
});

test("a phrase is found across lines, in a comment too", () => {
  expect(wordsIn("It starts by\nitself.\n * has a folder of\n * its own.\n// take back")).toEqual([
    "1: by itself; say: automatically, alone",
    "3: of * its own; say: own, separate",
    "5: take back; say: revert, undo",
  ]);
});

test("a word within another one, and one where it is usual, is left alone", () => {
  const text =
    "capabilities recommend desktop handshake indoor\nHello, world\nfc.integer().chain(f)\nsupply chain";
  expect(wordsIn(text)).toEqual([]);
});
