import { expect, test } from "vitest";
import { hangingColumns } from "./hanging-indent.ts";

test.each([
  ["word", 2],
  ["    word", 6],
  ["\tword", 4],
  ["\t\tword", 8],
  ["  \tword", 4],
  [`${" ".repeat(80)}word`, 24],
])("the rows of %j begin at a column that moves no tab stop", (line, columns) => {
  expect(hangingColumns(line)).toBe(columns);
});
