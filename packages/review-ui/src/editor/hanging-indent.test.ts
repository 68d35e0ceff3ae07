import { expect, test } from "vitest";
import { hangingColumns } from "./hanging-indent.ts";

test.each([
  ["word", 2],
  ["    word", 6],
  ["\tword", 8],
  ["\t\tword", 12],
  ["  \tword", 8],
  [`${" ".repeat(80)}word`, 24],
])("the rows of %j begin at a column that moves no tab stop", (line, columns) => {
  expect(hangingColumns(line)).toBe(columns);
});
