import { expect, test, vi } from "vitest";
import { toPositions } from "./context-source.ts";

vi.mock("vscode", () => ({}));

const at = (line: number, character: number) => ({ line, character });

test("a selection counts from 1, and its cursor may be at either end", () => {
  const [start, end] = [at(1, 3), at(4, 0)];
  const selection = { start: at(2, 4), end: at(5, 1) };
  expect(toPositions({ active: end, start, end, isEmpty: false })).toEqual({ cursor: at(5, 1), selection });
  expect(toPositions({ active: start, start, end, isEmpty: false })).toEqual({ cursor: at(2, 4), selection });
});

test("a cursor alone has no range", () => {
  const here = at(0, 0);
  expect(toPositions({ active: here, start: here, end: here, isEmpty: true })).toEqual({ cursor: at(1, 1) });
});
