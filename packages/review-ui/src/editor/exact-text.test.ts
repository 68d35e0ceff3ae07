import { history, insertNewlineKeepIndent, redo, undo } from "@codemirror/commands";
import { EditorState, type StateCommand, type Transaction } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactText } from "./exact-text.ts";
import { changesBetween } from "./text-changes.ts";

/** Texts made of what breaks editors. */
const hostileText = fc
  .array(
    fc.constantFrom(
      "a",
      "b ",
      "\t",
      "\n",
      "\r\n",
      "\r",
      "\ufeff",
      "\0",
      "\ud800",
      "\udfff",
      "😀",
      "\u202e",
      "é",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

function open(text: string): EditorState {
  return EditorState.create({ doc: text, extensions: [exactText(text), history()] });
}

function run(state: EditorState, command: StateCommand): EditorState {
  let next = state;
  command({
    state,
    dispatch: (transaction: Transaction) => {
      next = transaction.state;
    },
  });
  return next;
}

function type(state: EditorState, at: number, text: string): EditorState {
  return state.update({ changes: { from: at, insert: text }, userEvent: "input.type" }).state;
}

describe("a text in the editor", () => {
  test("equals the original text, for any text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(open(text).doc.toString()).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("is what was put in also for any string at all", () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        expect(open(text).doc.toString()).toBe(text);
      }),
    );
  });

  test("changes only by what is typed, and undo takes exactly that back", () => {
    fc.assert(
      fc.property(hostileText, fc.nat(), (text, seed) => {
        const at = seed % (text.length + 1);
        const inside = text.slice(at - 1, at + 1) === "\r\n" ? at - 1 : at;
        const typed = type(open(text), at, "xy");
        const expected = `${text.slice(0, inside)}xy${text.slice(inside)}`;
        expect(typed.doc.toString()).toBe(expected);
        const undone = run(typed, undo);
        expect(undone.doc.toString()).toBe(text);
        expect(run(undone, redo).doc.toString()).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("is turned into another by what has changed, code unit by code unit", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (before, after) => {
        const changes = changesBetween(before, after);
        const { state } = open(before).update({ changes, filter: false });
        expect(state.doc.toString()).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a new line", () => {
  const cases = [
    ["of an LF text ends with LF", "a\nb\n", "a\n\nb\n"],
    ["of a CRLF text ends with CRLF", "a\r\nb\r\n", "a\r\n\r\nb\r\n"],
    ["of a CR text ends with CR", "a\rb\rc", "a\r\rb\rc"],
    ["of a mixed text ends with what most lines end with", "a\r\nb\r\nc\n", "a\r\n\r\nb\r\nc\n"],
  ] as const;
  for (const [name, before, after] of cases) {
    test(name, () => {
      const state = open(before).update({ selection: { anchor: 1 } }).state;
      expect(run(state, insertNewlineKeepIndent).doc.toString()).toBe(after);
    });
  }

  test("leaves the cursor on it", () => {
    const state = open("  a\r\nb").update({ selection: { anchor: 3 } }).state;
    const next = run(state, insertNewlineKeepIndent);
    expect(next.doc.toString()).toBe("  a\r\n  \r\nb");
    expect(next.selection.main.head).toBe("  a\r\n  ".length);
  });

  test("that is pasted gets the text's ending", () => {
    expect(type(open("a\r\nb"), 0, "1\n2\r\n").doc.toString()).toBe("1\r\n2\r\na\r\nb");
    expect(type(open("a\nb"), 0, "1\r\n").doc.toString()).toBe("1\na\nb");
  });
});

describe("a CRLF", () => {
  test("never has the cursor in its middle", () => {
    expect(open("a\r\nb").update({ selection: { anchor: 2 } }).state.selection.main.head).toBe(1);
  });

  test("goes as a whole when the last line is deleted", () => {
    const state = open("a\r\nb");
    const next = state.update({ changes: { from: 2, to: 4 }, userEvent: "delete.line" }).state;
    expect(next.doc.toString()).toBe("a");
  });

  test("goes as a whole when the user deletes from the end of the line to its end", () => {
    const state = open("a\r\nb").update({ selection: { anchor: 1 } }).state;
    const next = state.update({ changes: { from: 1, to: 2 }, userEvent: "delete.forward" }).state;
    expect(next.doc.toString()).toBe("ab");
  });

  test("stays when the user deletes up to the end of the line", () => {
    const state = open("abc\r\nd").update({ selection: { anchor: 1 } }).state;
    const next = state.update({ changes: { from: 1, to: 4 }, userEvent: "delete.forward" }).state;
    expect(next.doc.toString()).toBe("a\r\nd");
  });
});
