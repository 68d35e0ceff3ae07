import { EventEmitter } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { cutToWidth, openFullScreen, paintLine } from "./full-screen.ts";
import { createPaint } from "./paint.ts";

/** A terminal that keeps what is written. */
class FakeTerminal extends EventEmitter {
  columns = 80;
  rows = 24;
  text = "";
  write(text: string): boolean {
    this.text += text;
    return true;
  }
  /** What was written since the last call. */
  take(): string {
    const { text } = this;
    this.text = "";
    return text;
  }
}

function open() {
  const terminal = new FakeTerminal();
  // Its methods have more forms than these, none of which is used.
  const screen = openFullScreen(terminal as unknown as Parameters<typeof openFullScreen>[0]);
  onTestFinished(screen.close);
  return { terminal, screen };
}

test("only lines that have changed are written again, in one piece", () => {
  const { terminal, screen } = open();
  expect(terminal.take()).toBe("\x1b[?1049h\x1b[?25l\x1b[2J");
  screen.show(["one", "two"]);
  terminal.take();
  screen.show(["one", "2"]);
  expect(terminal.take()).toBe("\x1b[?2026h\x1b[2;1H2\x1b[K\x1b[?2026l");
  screen.show(["one", "2"]);
  expect(terminal.take()).toBe("");
  screen.show(["one"]);
  expect(terminal.take()).toContain("\x1b[2;1H\x1b[K");
});

test("a terminal of another size is drawn again", () => {
  const { terminal, screen } = open();
  screen.show(["one"]);
  screen.onResize(() => screen.show(["one"]));
  terminal.take();
  terminal.emit("resize");
  expect(terminal.take()).toBe("\x1b[2J\x1b[?2026h\x1b[1;1Hone\x1b[K\x1b[?2026l");
});

test("a terminal without a size is taken for one of the usual size", () => {
  const { terminal, screen } = open();
  Object.assign(terminal, { columns: 0, rows: 0 });
  expect([screen.columns, screen.rows]).toEqual([80, 24]);
});

test("the terminal is given back once, also when the process ends", () => {
  const before = process.listenerCount("exit");
  const { terminal, screen } = open();
  expect(process.listenerCount("exit")).toBe(before + 1);
  terminal.take();
  screen.leave();
  screen.show(["unseen"]);
  screen.close();
  screen.close();
  expect(terminal.take()).toBe("\x1b[?25h\x1b[?1049l");
  expect(process.listenerCount("exit")).toBe(before);
});

test("a line is cut where the terminal ends, wide characters and all", () => {
  const paint = createPaint(false);
  expect(cutToWidth("日本語", 6)).toBe("日本語");
  expect(cutToWidth("日本語", 5)).toBe("日本…");
  expect(cutToWidth("日本語", 4)).toBe("日…");
  expect(cutToWidth("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
  expect(
    paintLine(
      [
        ["bold", "abc"],
        ["dim", "defg"],
      ],
      5,
      paint,
    ),
  ).toBe("abcd…");
  expect(paintLine([["bold", "ab\x1b[2Jc"]], 80, createPaint(true))).toBe("\x1b[1mab\\x1b[2Jc\x1b[22m");
});
