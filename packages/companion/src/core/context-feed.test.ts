import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { type Context, type ContextOptions, cutText, toSharedContext, type Withheld } from "./context.ts";
import { createContextFeed } from "./context-feed.ts";
import type { EditorContext } from "./editor.ts";

const exists = () => true;
const toContext = (context: EditorContext, options?: ContextOptions) =>
  toSharedContext(context, options).context;
const paths = (context: Context) => context.files.map(({ path }) => path);

describe("what the CLIs are sent", () => {
  test("the newest focus comes first, and only the active file has cursor and selection", () => {
    const cursor = { line: 3, character: 4 };
    const selection = { start: { line: 3, character: 1 }, end: cursor };
    const context = toContext(
      {
        files: [
          { path: "/old", focusedAt: 1, cursor, selectedText: "stale" },
          { path: "/active", focusedAt: 2, cursor, selectedText: "now", selection },
        ],
        activePath: "/active",
      },
      { exists },
    );
    expect(context).toEqual({
      files: [
        { path: "/active", focusedAt: 2, isActive: true, cursor, selectedText: "now", selection },
        { path: "/old", focusedAt: 1 },
      ],
    });
  });

  test("the active file is the newest even if its editor says otherwise, since the CLIs sort by time", () => {
    const context = toContext(
      {
        files: [
          { path: "/b", focusedAt: 9 },
          { path: "/a", focusedAt: 1 },
        ],
        activePath: "/a",
      },
      { exists },
    );
    expect(context.files).toEqual([
      { path: "/a", focusedAt: 9, isActive: true },
      { path: "/b", focusedAt: 9 },
    ]);
  });

  test("ten files at most, the same one once, no file is active when none has the focus", () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ path: `/${index}`, focusedAt: index }));
    const context = toContext({ files: [...files, { path: "/11", focusedAt: 3 }] }, { exists });
    expect(paths(context)).toEqual(["/11", "/10", "/9", "/8", "/7", "/6", "/5", "/4", "/3", "/2"]);
    expect(context.files.some(({ isActive }) => isActive)).toBe(false);
  });

  test("virtual documents, folders and files that are gone never enter", () => {
    const folder = privateFolder();
    const real = join(folder, "real.ts");
    writeFileSync(real, "");
    const files = ["untitled:Untitled-1", "relative.ts", folder, join(folder, "gone.ts"), real];
    const context = toContext({ files: files.map((path) => ({ path, focusedAt: 1 })) });
    expect(paths(context)).toEqual([real]);
  });

  test("a path that the system cannot look at is left out", () => {
    const folder = privateFolder();
    const real = join(folder, "real.ts");
    writeFileSync(real, "");
    symlinkSync("loop", join(folder, "loop"));
    const names = ["real.ts/new.ts", "loop", "n".repeat(300), "nul\0.ts"];
    const files = [...names.map((name) => join(folder, name)), real];
    const context = toContext({ files: files.map((path) => ({ path, focusedAt: 1 })) });
    expect(paths(context)).toEqual([real]);
  });

  test("a selection is cut at 16 384 units, never in the middle of a surrogate pair", () => {
    expect(cutText(`${"x".repeat(16_383)}😀`, 16_384)).toBe("x".repeat(16_383));
    expect(cutText(`${"x".repeat(16_382)}😀y`, 16_384)).toBe(`${"x".repeat(16_382)}😀`);
    expect(cutText("ab", 16_384)).toBe("ab");
  });

  test("a selection that begins or ends within a character loses that half, and is nowhere made another character", () => {
    const halves = "\u{1F600}";
    expect(cutText(`${halves[1]}ab${halves[0]}`, 16_384)).toBe("ab");
    expect(cutText(`${halves}ab${halves}`, 16_384)).toBe(`${halves}ab${halves}`);
    expect(cutText(`${halves[0]}`, 16_384)).toBe("");
    expect(cutText(`${halves[1]}`, 16_384)).toBe("");
    expect(cutText("", 16_384)).toBe("");
    const context = toContext(
      { files: [{ path: "/a", focusedAt: 1, selectedText: `${halves[1]}` }], activePath: "/a" },
      { exists },
    );
    expect(context.files).toEqual([{ path: "/a", focusedAt: 1, isActive: true }]);
  });

  test("a file in two spellings is one where the disk does not tell them apart, and sent as it came", () => {
    const seen = {
      files: [
        { path: "c:\\app\\a.ts", focusedAt: 1 },
        { path: "C:/App/a.ts", focusedAt: 2 },
        { path: "C:\\app\\b.ts", focusedAt: 3 },
      ],
      activePath: "c:\\App\\A.ts",
    };
    const files = toContext(seen, { exists, platform: "win32" }).files;
    expect(files).toEqual([
      { path: "C:/App/a.ts", focusedAt: 3, isActive: true },
      { path: "C:\\app\\b.ts", focusedAt: 3 },
    ]);
  });

  test("a file that the user keeps from the agents is not sent, nor counts as one of ten, and is named to the user", () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ path: `/${index}`, focusedAt: index }));
    const secret = { path: "/.env", focusedAt: 99, selectedText: "TOKEN=1" };
    const sharing = {
      isPaused: false,
      isExcluded: (path: string) => path === "/.env",
      isOutside: () => false,
    };
    const { context, withheld } = toSharedContext(
      { files: [...files, secret], activePath: "/.env" },
      { exists, sharing },
    );
    expect(paths(context)).toEqual(["/11", "/10", "/9", "/8", "/7", "/6", "/5", "/4", "/3", "/2"]);
    expect(JSON.stringify(context)).not.toMatch(/TOKEN|isActive/);
    expect(withheld).toEqual({ isPaused: false, excluded: ["/.env"] });
  });

  test("nothing is sent while sharing is paused", () => {
    const sharing = { isPaused: true, isExcluded: () => false, isOutside: () => false };
    const { context, withheld } = toSharedContext(
      { files: [{ path: "/a", focusedAt: 1 }] },
      { exists, sharing },
    );
    expect([context, withheld]).toEqual([{ files: [] }, { isPaused: true, excluded: [] }]);
  });

  test("trust is sent only where the editor has a notion of it", () => {
    expect(toContext({ files: [] }, { trusted: false }).isTrusted).toBe(false);
    expect(toContext({ files: [] })).toEqual({ files: [] });
  });
});

describe("the feed", () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const at = (line: number) => ({
    files: [{ path: "/a", focusedAt: 1, cursor: { line, character: 1 } }],
    activePath: "/a",
  });

  test("tells a change after 50 ms of quiet", () => {
    const feed = createContextFeed({ exists });
    const reported: Context[] = [];
    feed.subscribe((context) => reported.push(context));
    feed.update(at(1));
    vi.advanceTimersByTime(49);
    expect(reported).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(reported).toHaveLength(1);
    expect(feed.current).toBe(reported[0]);
  });

  test("a user who never pauses is followed every 100 ms", () => {
    const feed = createContextFeed({ exists });
    const reported: number[] = [];
    feed.subscribe(() => reported.push(performance.now()));
    const start = performance.now();
    for (let line = 1; line <= 100; line += 1) {
      feed.update(at(line));
      vi.advanceTimersByTime(10);
    }
    expect(reported.map((time) => time - start)).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });

  test("an unchanged state is not sent again", () => {
    const feed = createContextFeed({ exists });
    let reported = 0;
    feed.subscribe(() => reported++);
    for (let turn = 0; turn < 3; turn += 1) {
      feed.update(at(1));
      vi.advanceTimersByTime(60);
    }
    feed.update(at(2));
    feed.update(at(1));
    vi.advanceTimersByTime(60);
    expect(reported).toBe(1);
  });

  test("a file deleted from disk leaves, although the editor says nothing", () => {
    const path = join(privateFolder(), "a.ts");
    writeFileSync(path, "");
    const feed = createContextFeed();
    const reported: Context[] = [];
    feed.subscribe((context) => reported.push(context));
    feed.update({ files: [{ path, focusedAt: 1 }] });
    vi.advanceTimersByTime(50);
    rmSync(path);
    vi.advanceTimersByTime(2000);
    expect(reported.map(paths)).toEqual([[path], []]);
  });

  test("trust that is granted later is sent", () => {
    let trusted = false;
    const feed = createContextFeed({ exists, trusted: () => trusted });
    const reported: (boolean | undefined)[] = [];
    feed.subscribe(({ isTrusted }) => reported.push(isTrusted));
    feed.update(at(1));
    vi.advanceTimersByTime(50);
    trusted = true;
    feed.update(at(1));
    vi.advanceTimersByTime(50);
    expect(reported).toEqual([false, true]);
  });

  test("what the user allows counts at once, in the middle of a change", () => {
    const sharing = { isPaused: false, isExcluded: () => false, isOutside: () => false };
    const feed = createContextFeed({ exists, sharing });
    const reported: (string[] | undefined)[] = [];
    const withheld: Withheld[] = [];
    feed.subscribe((context) => reported.push(paths(context)));
    feed.onWithheld((next) => withheld.push(next));
    feed.update(at(1));
    vi.advanceTimersByTime(50);
    feed.update(at(2));
    sharing.isPaused = true;
    feed.refresh();
    expect(reported).toEqual([["/a"], []]);
    expect(withheld).toEqual([{ isPaused: true, excluded: [] }]);
    vi.advanceTimersByTime(5000);
    feed.update(at(3));
    vi.advanceTimersByTime(50);
    expect(reported).toHaveLength(2);
    sharing.isPaused = false;
    feed.refresh();
    expect([reported, withheld.length]).toEqual([[["/a"], [], ["/a"]], 2]);
  });

  test("a closed feed is silent", () => {
    const feed = createContextFeed({ exists });
    let reported = 0;
    feed.subscribe(() => reported++);
    feed.update(at(1));
    feed.close();
    vi.advanceTimersByTime(5000);
    expect([reported, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
