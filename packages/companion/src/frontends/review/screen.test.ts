import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EditorContext } from "../../editor.ts";
import { createScreen } from "./screen.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function screenOf() {
  const told: EditorContext[] = [];
  const screen = createScreen({ onChange: (context) => told.push(context) });
  return { screen, told };
}

const file = (path: string, focusedAt = 1) => ({ path, focusedAt });

test("the files of all pages are shown together, the active one is that of the page focused last", () => {
  const { screen } = screenOf();
  const [one, other] = [{}, {}];
  screen.show(one, undefined, { files: [file("/a"), file("/b")], activePath: "/a", focused: true });
  screen.show(other, undefined, { files: [file("/c")], activePath: "/c", focused: true });
  expect(screen.context.activePath).toBe("/c");
  expect(screen.context.files.map(({ path }) => path).sort()).toEqual(["/a", "/b", "/c"]);
  screen.show(one, undefined, { files: [file("/a")], activePath: "/a", focused: true });
  expect(screen.context.activePath).toBe("/a");
});

test("the active file stays when the user goes to the terminal", () => {
  const { screen } = screenOf();
  const [one, other] = [{}, {}];
  screen.show(one, undefined, { files: [file("/a")], activePath: "/a", focused: true });
  screen.show(other, undefined, { files: [file("/b")], activePath: "/b", focused: false });
  screen.show(one, undefined, { files: [file("/a")], activePath: "/a", focused: false });
  expect(screen.context.activePath).toBe("/a");
});

test("of a file in two pages the cursor is that of the page looked at last, the time the later", () => {
  const { screen } = screenOf();
  const [one, other] = [{}, {}];
  const cursor = { line: 3, character: 1 };
  screen.show(one, undefined, { files: [{ path: "/a", focusedAt: 9 }], activePath: "/a", focused: false });
  screen.show(other, undefined, {
    files: [{ path: "/a", focusedAt: 5, cursor }],
    activePath: "/a",
    focused: true,
  });
  expect(screen.context).toEqual({ files: [{ path: "/a", focusedAt: 9, cursor }], activePath: "/a" });
});

test("a page's files go three seconds after it has gone", () => {
  const { screen, told } = screenOf();
  const page = {};
  screen.show(page, undefined, { files: [file("/a")], activePath: "/a", focused: true });
  screen.leave(page);
  vi.advanceTimersByTime(2999);
  expect(screen.context.files).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(told.at(-1)).toEqual({ files: [] });
});

test("a reloaded page takes its own place at once, without a flicker", () => {
  const { screen, told } = screenOf();
  const [before, after] = [{}, {}];
  screen.show(before, "tab", { files: [file("/a"), file("/b")], activePath: "/a", focused: true });
  screen.leave(before);
  screen.show(after, "tab", { files: [file("/a")], activePath: "/a", focused: true });
  vi.advanceTimersByTime(5000);
  expect(told.map(({ files }) => files.length)).toEqual([2, 1]);
});

test("a copied tab, whose key is in use, stands beside the first", () => {
  const { screen } = screenOf();
  screen.show({}, "tab", { files: [file("/a")], focused: false });
  screen.show({}, "tab", { files: [file("/b")], focused: true });
  expect(screen.context.files).toHaveLength(2);
});

test("an active file that is not among the files is none", () => {
  const { screen } = screenOf();
  screen.show({}, undefined, { files: [file("/a")], activePath: "/b", focused: true });
  expect(screen.context).toEqual({ files: [file("/a")] });
});
