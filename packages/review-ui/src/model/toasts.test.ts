import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createToasts } from "./toasts.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the same words twice are one message that stays for its time again", () => {
  const toasts = createToasts({ announce: () => {} });
  toasts.show({ level: "info", text: "a file changed" });
  vi.advanceTimersByTime(5000);
  toasts.show({ level: "info", text: "a file changed" });
  expect(toasts.list.value).toMatchObject([{ text: "a file changed", count: 2 }]);
  vi.advanceTimersByTime(5000);
  expect(toasts.list.value).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(toasts.list.value).toEqual([]);
});

test("a newer message about the same subject replaces the older one", () => {
  const toasts = createToasts({ announce: () => {} });
  toasts.show({ level: "info", text: "one waits", subject: "waiting" });
  toasts.show({ level: "info", text: "two wait", subject: "waiting" });
  expect(toasts.list.value).toMatchObject([{ text: "two wait", count: 1 }]);
  expect(toasts.has("waiting")).toBe(true);
  toasts.retract("waiting");
  expect(toasts.has("waiting")).toBe(false);
});

test("a message with a button stays for ten seconds, and from the moment on in which its user leaves it", () => {
  const toasts = createToasts({ announce: () => {} });
  const action = { label: "Undo", run: () => {} };
  toasts.show({ level: "info", text: "done", action });
  const [toast] = toasts.list.value;
  if (!toast) throw new Error("no message");
  vi.advanceTimersByTime(9000);
  toasts.pause(toast.id);
  vi.advanceTimersByTime(60_000);
  expect(toasts.list.value).toHaveLength(1);
  toasts.resume(toast);
  vi.advanceTimersByTime(9999);
  expect(toasts.list.value).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.list.value).toEqual([]);
});

test("the newest message that offers to undo something is the one that the key undoes", () => {
  const toasts = createToasts({ announce: () => {} });
  const undone: string[] = [];
  for (const text of ["first", "second"]) {
    const action = { label: "Undo", run: () => undone.push(text), isUndo: true };
    toasts.show({ level: "info", text, action });
  }
  toasts.show({ level: "info", text: "other", action: { label: "Look", run: () => undone.push("other") } });
  expect([toasts.undo(), toasts.undo(), toasts.undo()]).toEqual([true, true, false]);
  expect(undone).toEqual(["second", "first"]);
});
