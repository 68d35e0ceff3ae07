import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHeartbeat } from "./connection.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const happened: string[] = [];
  let held = 0;
  const heart = createHeartbeat({
    ask: () => happened.push("ask"),
    onState: (state) => happened.push(state),
    now: () => Date.now() + held,
  });
  return {
    heart,
    happened,
    holdUp: (milliseconds: number) => {
      held += milliseconds;
    },
  };
}

test("a silence is noticed within five seconds, wherever it begins, and so is its end", () => {
  const { heart, happened } = setUp();
  heart.start();
  heart.received();
  vi.advanceTimersByTime(5000);
  expect(happened).toEqual(["ask", "ask", "silent", "ask"]);
  vi.advanceTimersByTime(5000);
  heart.received();
  expect(happened.filter((what) => what !== "ask")).toEqual(["silent", "open"]);
  vi.advanceTimersByTime(2500);
  expect(happened.at(-1)).toBe("ask");
});

test("a page that was itself held up asks once more before it complains", () => {
  const { heart, happened, holdUp } = setUp();
  heart.start();
  holdUp(3000);
  vi.advanceTimersByTime(2500);
  expect(happened).toEqual(["ask", "ask"]);
  vi.advanceTimersByTime(2500);
  expect(happened).toEqual(["ask", "ask", "silent", "ask"]);
});

test("a connection that stays silent is given up", () => {
  const { heart, happened } = setUp();
  heart.start();
  vi.advanceTimersByTime(22_500);
  expect(happened.filter((what) => what !== "ask")).toEqual(["silent", "dead"]);
});

test("nothing happens after it is stopped", () => {
  const { heart, happened } = setUp();
  heart.start();
  heart.stop();
  heart.received();
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual(["ask"]);
});
