import { expect, test } from "vitest";
import { createContextStore, normalizeContext } from "./ide-client.ts";

const normalize = (openFiles: Parameters<typeof normalizeContext>[0]["workspaceState"] & object) =>
  normalizeContext({ workspaceState: openFiles }).workspaceState;

const cursor = { line: 3, character: 7 };

test("the newest file comes first and keeps cursor and selection, all others lose them", () => {
  const openFiles = [
    { path: "/old", timestamp: 1, isActive: true, cursor, selectedText: "old" },
    { path: "/new", timestamp: 3, isActive: true, cursor, selectedText: "new" },
    { path: "/middle", timestamp: 2 },
  ];
  expect(normalize({ openFiles })?.openFiles).toEqual([
    { path: "/new", timestamp: 3, isActive: true, cursor, selectedText: "new" },
    { path: "/middle", timestamp: 2, isActive: false },
    { path: "/old", timestamp: 1, isActive: false },
  ]);
});

test("where the newest file is not active, none is", () => {
  const openFiles = [
    { path: "/a", timestamp: 1, isActive: true, cursor },
    { path: "/b", timestamp: 2, cursor },
  ];
  expect(normalize({ openFiles })?.openFiles).toEqual([
    { path: "/b", timestamp: 2, isActive: false },
    { path: "/a", timestamp: 1, isActive: false },
  ]);
});

test("ten files are kept, and the argument is left as it is", () => {
  const openFiles = Array.from({ length: 12 }, (_, timestamp) => ({ path: `/${timestamp}`, timestamp }));
  const kept = normalize({ openFiles })?.openFiles;
  expect(kept?.map(({ timestamp }) => timestamp)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  expect(openFiles[0]?.timestamp).toBe(0);
});

test("a long selection is cut, never within a character, and says so", () => {
  const selected = (selectedText: string) =>
    normalize({ openFiles: [{ path: "/a", timestamp: 1, isActive: true, selectedText }] })?.openFiles?.[0]
      ?.selectedText;
  expect(selected("x".repeat(16_384))).toHaveLength(16_384);
  expect(selected("x".repeat(16_385))).toBe(`${"x".repeat(16_384)}... [TRUNCATED]`);
  expect(selected(`${"x".repeat(16_383)}😀`)).toBe(`${"x".repeat(16_383)}... [TRUNCATED]`);
});

test("what is not a list of files stays as it came", () => {
  expect(normalizeContext({})).toEqual({});
  expect(normalize({ isTrusted: false })).toEqual({ isTrusted: false });
  expect(normalize({ openFiles: [] })).toEqual({ openFiles: [] });
});

test("the store tells every change, until nobody listens", () => {
  const store = createContextStore();
  const sent: unknown[] = [];
  const stop = store.onChange((context) => sent.push(context));
  store.clear();
  store.set({ workspaceState: { openFiles: [{ path: "/a", timestamp: 1, isActive: true }] } });
  expect(sent).toEqual([store.context]);
  store.clear();
  expect(sent.at(-1)).toBeUndefined();
  stop();
  store.set({});
  expect(sent).toHaveLength(2);
});
