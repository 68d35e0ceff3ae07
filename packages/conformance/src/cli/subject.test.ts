import { expect, test } from "vitest";
import { fromHere, toWords } from "./subject.ts";

test.each([
  ["node drive.mjs", ["node", "drive.mjs"]],
  [`"my editor" --say='two words' ""`, ["my editor", "--say=two words", ""]],
])("the words of %s", (line, words) => {
  expect(toWords(line)).toEqual(words);
});

test("a quote that is not closed is an error", () => {
  expect(() => toWords("node 'drive.mjs")).toThrow("a quote is not closed in node 'drive.mjs");
});

test("a command that is started in another folder still finds the files of this one", () => {
  const files = ["/here/drive.mjs", "/here/bin/editor", "/here/node"];
  const isFile = (file: string) => files.includes(file);
  expect(fromHere(["node", "drive.mjs", "--fast", "."], "/here", isFile)).toEqual([
    "node",
    "/here/drive.mjs",
    "--fast",
    ".",
  ]);
  expect(fromHere(["./bin/editor", "new.txt"], "/here", isFile)).toEqual(["/here/bin/editor", "new.txt"]);
});
