import path from "node:path";
import { describe, expect, test } from "vitest";
import { createPaint, wantsColour } from "../../core/paint.ts";
import { toShellWord } from "../../system/shell-word.ts";
import type { Output } from "../invocation.ts";
import { describeDifference, linesOfText } from "./records.ts";
import { toDisplayPath } from "./text.ts";

describe("colour", () => {
  test("is for terminals, and obeys NO_COLOR and FORCE_COLOR", () => {
    expect(wantsColour({}, true)).toBe(true);
    expect(wantsColour({}, false)).toBe(false);
    expect(wantsColour({ NO_COLOR: "1" }, true)).toBe(false);
    expect(wantsColour({ NO_COLOR: "" }, true)).toBe(true);
    expect(wantsColour({ TERM: "dumb" }, true)).toBe(false);
    expect(wantsColour({ FORCE_COLOR: "1", NO_COLOR: "1" }, false)).toBe(true);
    expect(wantsColour({ FORCE_COLOR: "0" }, true)).toBe(false);
  });

  test("is put around text that has been made safe", () => {
    expect(createPaint(true).red("a\x1b[0m")).toBe("\x1b[31ma\\x1b[0m\x1b[39m");
    expect(createPaint(false).red("a\x1b[0m")).toBe("a\\x1b[0m");
  });
});

describe("paths", () => {
  test("are shown with a tilde for the user's home", () => {
    expect(toDisplayPath("/home/ada/x", "/home/ada")).toBe("~/x");
    expect(toDisplayPath("/home/ada", "/home/ada")).toBe("~");
    expect(toDisplayPath("/home/adalbert", "/home/ada")).toBe("/home/adalbert");
    expect(toDisplayPath("C:\\Users\\Ada\\x", "C:\\Users\\Ada", path.win32)).toBe("~\\x");
  });

  test("are not shortened by a home that is nothing, or everything", () => {
    expect(toDisplayPath("/x", "/")).toBe("/x");
    expect(toDisplayPath("/x", "")).toBe("/x");
  });

  test("can be pasted into a shell", () => {
    expect(toShellWord("/a/b-c.d", "linux")).toBe("/a/b-c.d");
    expect(toShellWord("/it's here", "linux")).toBe("'/it'\\''s here'");
    expect(toShellWord("C:\\my files", "win32")).toBe('"C:\\my files"');
  });
});

test("a text on a terminal has its tabs, and each part of a line its colour", () => {
  const lines: string[] = [];
  const out: Output = {
    paint: createPaint(true),
    isTerminal: true,
    line: (text = "") => void lines.push(text),
  };
  for (const line of linesOfText("all:\n\tmake\x1b[2J", out)) out.line(line);
  expect(lines).toEqual(["all:", "\tmake\\x1b[2J"]);
  expect(describeDifference("-a\tb", out.paint)).toEqual(["\x1b[31m-a\x1b[39m\t\x1b[31mb\x1b[39m"]);
});
