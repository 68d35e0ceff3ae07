import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DraftSync } from "./draft-sync.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = { readonly revision: number; readonly content?: string } | "lost";

function setUp() {
  const sent: [number, string][] = [];
  const answers: ((answer: Answer) => void)[] = [];
  const onRefused = vi.fn();
  const sync = new DraftSync({
    revision: 3,
    text: "",
    send: (revision, text) => {
      sent.push([revision, text]);
      return new Promise((resolve, reject) =>
        answers.push((answer) => (answer === "lost" ? reject(new Error("lost")) : resolve(answer))),
      );
    },
    onRefused,
  });
  const answer = async (next: Answer) => {
    answers.shift()?.(next);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { sync, sent, answer, onRefused };
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
    void sync.flush();
    expect(sent).toEqual([[3, "a"]]);
  });

  test("is sent again when the connection broke right after it", async () => {
    const { sync, sent, answer } = setUp();
    sync.edited(() => "a");
    void sync.flush();
    await answer("lost");
    expect(sync.isUnsent).toBe(true);
    void sync.flush();
    expect(sent).toEqual([
      [3, "a"],
      [3, "a"],
    ]);
  });

  test("is with the frontend once that has said so", async () => {
    const { sync, answer } = setUp();
    sync.edited(() => "a");
    void sync.flush();
    expect(sync.isUnsent).toBe(true);
    await answer({ revision: 4 });
    expect(sync.isUnsent).toBe(false);
    expect([sync.revision, sync.base]).toEqual([4, "a"]);
  });

  test("that is refused is refused once, however many were on their way", async () => {
    const { sync, answer, onRefused } = setUp();
    for (const text of ["a", "ab"]) {
      sync.edited(() => text);
      void sync.flush();
    }
    onRefused.mockImplementation((revision, text) => sync.rebased(revision, text));
    await answer({ revision: 7, content: "theirs" });
    expect(sync.isUnsent).toBe(true);
    await answer({ revision: 8, content: "theirs" });
    expect(onRefused).toHaveBeenCalledOnce();
    expect(sync.isUnsent).toBe(false);
    expect([sync.revision, sync.base]).toEqual([7, "theirs"]);
  });
});
