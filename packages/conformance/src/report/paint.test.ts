import { expect, test } from "vitest";
import { widthOf } from "./paint.ts";

test.each([
  [0, 120],
  [undefined, 120],
  [40, 40],
  [300, 120],
])("a report on a terminal of %s columns has %i", (columns, width) => {
  expect(widthOf(columns === undefined ? {} : { columns })).toBe(width);
});
