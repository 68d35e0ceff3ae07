import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DraftSync } from "./draft-sync.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const sent: [number, string][] = [];
  let isOnline = true;
  const sync = new DraftSync({
    revision: 3,
    size: 1,
    send: (revision, text) => {
      if (isOnline) sent.push([revision, text]);
      return isOnline;
    },
  });
  return { sync, sent, goOffline: () => (isOnline = false), goOnline: () => (isOnline = true) };
}

describe("a draft", () => {
  test("is sent once, when the typing pauses, with its latest text", () => {
    const { sync, sent } = setUp();
    sync.edited(() => "a");
    sync.edited(() => "ab");
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(150);
    expect(sent).toEqual([[3, "ab"]]);
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(1);
  });

  test("is also sent while the user is typing", () => {
    const { sync, sent } = setUp();
    for (let i = 0; i < 20; i += 1) {
      sync.edited(() => `${i}`);
      vi.advanceTimersByTime(30);
    }
    expect(sent.length).toBeGreaterThanOrEqual(3);
  });

  test("is sent at once when the frontend asks for it", () => {
    const { sync, sent } = setUp();
    sync.edited(() => "a");
    sync.flush();
    expect(sent).toEqual([[3, "a"]]);
  });

  test("waits for the frontend when there is none", () => {
    const { sync, sent, goOffline, goOnline } = setUp();
    goOffline();
    sync.edited(() => "a");
    vi.advanceTimersByTime(150);
    expect(sync.isUnsent).toBe(true);
    goOnline();
    sync.flush();
    expect(sent).toEqual([[3, "a"]]);
  });

  test("is sent again when the connection broke right after it", () => {
    const { sync, sent } = setUp();
    sync.edited(() => "a");
    sync.flush();
    sync.disconnected();
    expect(sync.isUnsent).toBe(true);
    sync.flush();
    expect(sent).toEqual([
      [3, "a"],
      [3, "a"],
    ]);
  });

  test("of another page is shown, unless this page has edits that the frontend has not answered", () => {
    const { sync, sent } = setUp();
    expect(sync.received(4)).toBe(true);
    sync.edited(() => "mine");
    expect(sync.received(5)).toBe(false);
    sync.flush();
    expect(sync.received(6)).toBe(false);
    // The page has not shown it, so the old revision lets the frontend detect the conflict.
    expect(sent).toEqual([[4, "mine"]]);
  });

  test("that is older than what the frontend has taken from this page is not shown", () => {
    const { sync } = setUp();
    sync.edited(() => "a");
    sync.flush();
    sync.acknowledged(4);
    expect(sync.received(3)).toBe(false);
    expect(sync.revision).toBe(4);
    expect(sync.received(5)).toBe(true);
  });

  test("is with the frontend once that has said so", () => {
    const { sync } = setUp();
    sync.edited(() => "a");
    sync.flush();
    expect(sync.isUnsent).toBe(true);
    sync.acknowledged(4);
    expect(sync.isUnsent).toBe(false);
    expect(sync.revision).toBe(4);
    sync.disconnected();
    expect(sync.isUnsent).toBe(false);
  });

  test("that is refused is lost here once, however many were on their way", () => {
    const { sync } = setUp();
    sync.edited(() => "a");
    sync.flush();
    sync.edited(() => "ab");
    sync.flush();
    expect(sync.refused(7)).toBe(true);
    expect(sync.received(8)).toBe(false);
    expect(sync.refused(8)).toBe(false);
    expect(sync.isUnsent).toBe(false);
    expect(sync.received(9)).toBe(true);
  });
});
