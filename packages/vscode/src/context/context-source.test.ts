import { expect, test, vi } from "vitest";
import type { Selection } from "vscode";
import { createFocusHistory, createPositions, type HistoryTab, toPositions } from "./context-source.ts";

const { TabInputTextDiff, window } = vi.hoisted(() => ({
  TabInputTextDiff: class {
    readonly original: unknown;
    constructor(original: unknown) {
      this.original = original;
    }
  },
  window: {
    activeTextEditor: undefined as unknown,
    tabGroups: { activeTabGroup: {} as { activeTab?: { input: unknown } } },
  },
}));
vi.mock("vscode", () => ({ TabInputTextDiff, window }));

const at = (line: number, character: number) => ({ line, character });

const positionsOf = (selection: object) => toPositions(selection as Selection);

test("a selection counts from 1, and its cursor may be at either end", () => {
  const [start, end] = [at(1, 3), at(4, 0)];
  const selection = { start: at(2, 4), end: at(5, 1) };
  expect(positionsOf({ active: end, start, end, isEmpty: false })).toEqual({ cursor: at(5, 1), selection });
  expect(positionsOf({ active: start, start, end, isEmpty: false })).toEqual({ cursor: at(2, 4), selection });
});

test("a cursor alone has no range", () => {
  const here = at(0, 0);
  expect(positionsOf({ active: here, start: here, end: here, isEmpty: true })).toEqual({ cursor: at(1, 1) });
});

/** The user selects `two` in `/a`. */
function selectTwo() {
  const here = { line: 1, character: 0, isBefore: () => false };
  const document = {
    uri: { scheme: "file", fsPath: "/a" },
    version: 1,
    isClosed: false,
    getText: () => "two",
    offsetAt: () => 0,
    positionAt: () => here,
  };
  const selection = { active: here, start: here, end: at(1, 3), isEmpty: false };
  const position = { ...positionsOf(selection), selectedText: "two" };
  const positionIn = createPositions();
  window.activeTextEditor = { document, selection };
  expect(positionIn("/a")).toEqual(position);
  return { document, selection, position, positionIn };
}

test("a selection in the left side of a diff does not bring back an old one in the file", () => {
  const { selection, positionIn } = selectTwo();
  const uri = { scheme: "git", fsPath: "/a" };
  window.tabGroups.activeTabGroup.activeTab = { input: new TabInputTextDiff(uri) };
  window.activeTextEditor = { document: { uri }, selection };
  expect(positionIn("/a")).toEqual({});
  delete window.tabGroups.activeTabGroup.activeTab;
});

test("a file keeps cursor and selection while a panel or a terminal has the focus, until its text is another one", () => {
  const { document, selection, position, positionIn } = selectTwo();
  window.activeTextEditor = { document: { uri: { scheme: "output", fsPath: "log" } }, selection };
  expect(positionIn("/a")).toEqual(position);
  expect(positionIn("/b")).toEqual({});
  window.activeTextEditor = undefined;
  expect(positionIn("/a")).toEqual(position);
  document.version = 2;
  expect(positionIn("/a")).toEqual({});
});

const tab = (path: string | undefined, more: Partial<HistoryTab> = {}): HistoryTab => ({
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
  const { update } = createFocusHistory(() => 1000);
  const position = { cursor: { line: 2, character: 3 }, selectedText: "two" };
  expect(update([tab("/a"), tab("/b", shown)], () => position)).toEqual({
    files: [
      { path: "/a", focusedAt: 999 },
      { path: "/b", focusedAt: 1000, ...position },
    ],
    activePath: "/b",
  });
});

test("the time of a file's last focus stays the same until it gets the focus again", () => {
  const { now, pass } = clock();
  const { update } = createFocusHistory(now);
  update([tab("/a", shown), tab("/b")], nowhere);
  pass(500);
  const { files } = update([tab("/a"), tab("/b", shown)], nowhere);
  pass(500);
  update([tab("/a"), tab("/b", shown)], nowhere);
  expect(files).toEqual([
    { path: "/a", focusedAt: 1000 },
    { path: "/b", focusedAt: 1500 },
  ]);
});

test("a terminal or a proposal in front of a file leaves that file active", () => {
  const { update } = createFocusHistory();
  update([tab("/a", shown)], nowhere);
  const aside = tab(undefined, { isAside: true, ...shown });
  expect(update([tab("/a"), aside], nowhere).activePath).toBe("/a");
  expect(update([tab("/a", { ...shown, isInActiveGroup: false }), aside], nowhere).activePath).toBe("/a");
});

test("a file behind settings is not active, a file next to settings is", () => {
  const { update } = createFocusHistory();
  update([tab("/a", shown)], nowhere);
  expect(update([tab("/a"), tab(undefined, shown)], nowhere).activePath).toBeUndefined();
  expect(
    update([tab("/a", { ...shown, isInActiveGroup: false }), tab(undefined, shown)], nowhere).activePath,
  ).toBe("/a");
});

test("a closed file is removed at once, and counts as new when it is opened again", () => {
  const { now, pass } = clock();
  const { update } = createFocusHistory(now);
  update([tab("/a", shown)], nowhere);
  pass(10);
  expect(update([], nowhere)).toEqual({ files: [] });
  pass(10);
  expect(update([tab("/a", shown)], nowhere).files).toEqual([{ path: "/a", focusedAt: 1020 }]);
});

test("a file in two tabs is listed once", () => {
  const { update } = createFocusHistory();
  const { files } = update([tab("/a", { isInActiveGroup: false, isShown: true }), tab("/a", shown)], nowhere);
  expect(files.map(({ path }) => path)).toEqual(["/a"]);
});
