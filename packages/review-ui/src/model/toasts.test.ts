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
