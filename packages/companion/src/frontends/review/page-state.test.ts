import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EditorContext } from "../../core/editor.ts";
import { PageState } from "./page-state.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function pageStateOf() {
  const sent: EditorContext[] = [];
  const pageState = new PageState();
  pageState.onContext((context) => sent.push(context));
  return { pageState, sent };
}

const file = (path: string, focusedAt = 1) => ({ path, focusedAt });

test("the files of all pages are shown together, the active one is that of the page focused last", () => {
  const { pageState } = pageStateOf();
  const [one, other] = [{}, {}];
  pageState.show(one, { files: [file("/a"), file("/b")], activePath: "/a", focused: true });
  pageState.show(other, { files: [file("/c")], activePath: "/c", focused: true });
  expect(pageState.context.activePath).toBe("/c");
  expect(pageState.context.files.map(({ path }) => path).sort()).toEqual(["/a", "/b", "/c"]);
  pageState.show(one, { files: [file("/a")], activePath: "/a", focused: true });
  expect(pageState.context.activePath).toBe("/a");
});

test("the active file stays when the user goes to the terminal", () => {
  const { pageState } = pageStateOf();
  const [one, other] = [{}, {}];
  pageState.show(one, { files: [file("/a")], activePath: "/a", focused: true });
  pageState.show(other, { files: [file("/b")], activePath: "/b", focused: false });
  pageState.show(one, { files: [file("/a")], activePath: "/a", focused: false });
  expect(pageState.context.activePath).toBe("/a");
});

test("of a file in two pages the cursor is that of the page looked at last, the time the later", () => {
  const { pageState } = pageStateOf();
  const [one, other] = [{}, {}];
  const cursor = { line: 3, character: 1 };
  pageState.show(one, { files: [{ path: "/a", focusedAt: 9 }], activePath: "/a", focused: false });
  pageState.show(other, {
    files: [{ path: "/a", focusedAt: 5, cursor }],
    activePath: "/a",
    focused: true,
  });
  expect(pageState.context).toEqual({ files: [{ path: "/a", focusedAt: 9, cursor }], activePath: "/a" });
});

test("a page's files go three seconds after it has gone", () => {
  const { pageState, sent } = pageStateOf();
  const page = {};
  pageState.show(page, { files: [file("/a")], activePath: "/a", focused: true });
  pageState.leave(page);
  vi.advanceTimersByTime(2999);
  expect(pageState.context.files).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(sent.at(-1)).toEqual({ files: [] });
});

test("a reloaded page takes its own place without a flicker", () => {
  const { pageState, sent } = pageStateOf();
  const [before, after] = [{}, {}];
  pageState.show(before, { files: [file("/a"), file("/b")], activePath: "/a", focused: true });
  pageState.leave(before);
  pageState.show(after, { files: [file("/a")], activePath: "/a", focused: true });
  vi.advanceTimersByTime(5000);
  expect(sent.map(({ files }) => files.length)).toEqual([2, 2, 1]);
});

test("an active file that is not among the files is none", () => {
  const { pageState } = pageStateOf();
  pageState.show({}, { files: [file("/a")], activePath: "/b", focused: true });
  expect(pageState.context).toEqual({ files: [file("/a")] });
});
