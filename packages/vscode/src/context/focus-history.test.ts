import { expect, test } from "vitest";
import { createAttention, type SeenTab } from "./attention.ts";

const tab = (path: string | undefined, more: Partial<SeenTab> = {}): SeenTab => ({
  ...(path === undefined ? {} : { path }),
  isAside: false,
  isShown: false,
  isInActiveGroup: true,
  ...more,
});
const shown = { isShown: true };
const nowhere = () => ({});

function clock() {
  let time = 1000;
  return { now: () => time, pass: (more: number) => (time += more) };
}

test("the file in front is active, with cursor and selection, and its focus is newer than that of the others", () => {
  const { see } = createAttention(() => 1000);
  const position = { cursor: { line: 2, character: 3 }, selectedText: "two" };
  expect(see([tab("/a"), tab("/b", shown)], () => position)).toEqual({
    files: [
      { path: "/a", focusedAt: 999 },
      { path: "/b", focusedAt: 1000, ...position },
    ],
    activePath: "/b",
  });
});

test("a file keeps the time of its last focus", () => {
  const { now, pass } = clock();
  const { see } = createAttention(now);
  see([tab("/a", shown), tab("/b")], nowhere);
  pass(500);
  const { files } = see([tab("/a"), tab("/b", shown)], nowhere);
  pass(500);
  see([tab("/a"), tab("/b", shown)], nowhere);
  expect(files).toEqual([
    { path: "/a", focusedAt: 1000 },
    { path: "/b", focusedAt: 1500 },
  ]);
});

test("a terminal or a proposal in front of a file does not take its position: the user talks about that file", () => {
  const { see } = createAttention();
  see([tab("/a", shown)], nowhere);
  const aside = tab(undefined, { isAside: true, ...shown });
  expect(see([tab("/a"), aside], nowhere).activePath).toBe("/a");
  expect(see([tab("/a", { ...shown, isInActiveGroup: false }), aside], nowhere).activePath).toBe("/a");
});

test("settings in front of a file take its position, beside it they do not", () => {
  const { see } = createAttention();
  see([tab("/a", shown)], nowhere);
  expect(see([tab("/a"), tab(undefined, shown)], nowhere).activePath).toBeUndefined();
  expect(
    see([tab("/a", { ...shown, isInActiveGroup: false }), tab(undefined, shown)], nowhere).activePath,
  ).toBe("/a");
});

test("a closed file is gone at once, and comes back as new", () => {
  const { now, pass } = clock();
  const { see } = createAttention(now);
  see([tab("/a", shown)], nowhere);
  pass(10);
  expect(see([], nowhere)).toEqual({ files: [] });
  pass(10);
  expect(see([tab("/a", shown)], nowhere).files).toEqual([{ path: "/a", focusedAt: 1020 }]);
});

test("a file in two tabs is told once", () => {
  const { see } = createAttention();
  const { files } = see([tab("/a", { isInActiveGroup: false, isShown: true }), tab("/a", shown)], nowhere);
  expect(files.map(({ path }) => path)).toEqual(["/a"]);
});
