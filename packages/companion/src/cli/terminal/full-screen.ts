import type { WriteStream } from "node:tty";
import stringWidth from "string-width";
import { safeText } from "../../files/safe-text.ts";
import type { Paint } from "./paint.ts";

/** The whole terminal, given back as it was. */
export interface FullScreen {
  readonly columns: number;
  readonly rows: number;
  /** Shows these lines and nothing else; what has not changed is not written again. */
  show(lines: readonly string[]): void;
  /** The terminal has another size, or may hold something else. */
  onResize(listener: () => void): void;
  /** Leaves the terminal to somebody else, until `enter`. */
  leave(): void;
  enter(): void;
  /** Idempotent. */
  close(): void;
}

const sequences = {
  /** The other screen, the cursor out of sight. */
  enter: "\x1b[?1049h\x1b[?25l\x1b[2J",
  leave: "\x1b[?25h\x1b[?1049l",
  /** What comes between is shown at once, by terminals that know how. */
  begin: "\x1b[?2026h",
  end: "\x1b[?2026l",
} as const;

type Terminal = Pick<WriteStream, "write" | "columns" | "rows" | "on" | "off">;

/** Takes the terminal over. It is given back at the end of the process at the latest, whatever ends it. */
export function openFullScreen(terminal: Terminal): FullScreen {
  let shown: readonly string[] = [];
  let isEntered = false;
  let onResize = () => {};

  function enter(): void {
    if (isEntered) return;
    isEntered = true;
    shown = [];
    terminal.write(sequences.enter);
  }
  function leave(): void {
    if (isEntered) terminal.write(sequences.leave);
    isEntered = false;
  }
  function resize(): void {
    shown = [];
    if (isEntered) terminal.write("\x1b[2J");
    onResize();
  }

  enter();
  terminal.on("resize", resize);
  process.on("exit", leave);
  // Before the error is printed: on the other screen nobody would read it.
  process.on("uncaughtExceptionMonitor", leave);

  return {
    // Zero where a terminal has no size.
    get columns() {
      return terminal.columns || 80;
    },
    get rows() {
      return terminal.rows || 24;
    },
    show(lines) {
      if (!isEntered) return;
      const height = Math.max(lines.length, shown.length);
      let text = "";
      for (let row = 0; row < height; row++) {
        const line = lines[row] ?? "";
        if (line !== shown[row]) text += `\x1b[${row + 1};1H${line}\x1b[K`;
      }
      shown = [...lines];
      if (text !== "") terminal.write(sequences.begin + text + sequences.end);
    },
    onResize(listener) {
      onResize = listener;
    },
    leave,
    enter,
    close() {
      leave();
      terminal.off("resize", resize);
      process.off("exit", leave);
      process.off("uncaughtExceptionMonitor", leave);
    },
  };
}

/** Pieces of one line, each with its style. */
export type Line = readonly Span[];

/** One line as it is written, cut off with an ellipsis where it is wider than the terminal. */
export function paintLine(line: Line, columns: number, paint: Paint): string {
  let left = columns;
  const painted: string[] = [];
  for (const [style, text] of line) {
    const fitting = cutToWidth(safeText(text), left);
    painted.push(paint[style](fitting));
    left -= stringWidth(fitting);
    if (left <= 0) break;
  }
  return painted.join("");
}

/** @param columns how many the text may take; wide characters take two */
export function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let width = 1; // the ellipsis
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    cut += segment;
  }
  return `${cut}…`;
}

type Span = readonly [style: keyof Paint, text: string];
