import { describe, expect, test } from "vitest";
import { safeName, safeText, steersTerminals } from "./safe-text.ts";

describe("text from outside", () => {
  test("cannot steer the terminal", () => {
    expect(safeText("a\x1b[2Jb")).toBe("a\\x1b[2Jb");
    expect(safeText("a\r\n\tb\0")).toBe("a\\r\\n\\tb\\x00");
    expect(safeText("\x9b31m\x7f")).toBe("\\x9b31m\\x7f");
  });

  test("cannot hide its direction or its length", () => {
    expect(safeText("evil\u202Etxt.exe")).toBe("evil\\u{202e}txt.exe");
    expect(safeText("\u2066\u200B\uFEFF\u2028\u{E0041}")).toBe(
      "\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\u{e0041}",
    );
  });

  test("stays what it is otherwise, in every script", () => {
    const text = "Größe 日本語 עברית 🎉 a b.ts";
    expect(safeText(text)).toBe(text);
  });

  test("may hold half a character", () => {
    expect(safeText("a\uD83D")).toBe("a\uFFFD");
  });

  test("has no separator in it as a name on a screen", () => {
    expect(safeName("evil\u202Etxt.exe\n\x1b[2J")).toBe("evil⟨202E⟩txt.exe⟨000A⟩⟨001B⟩[2J");
    expect(safeName(safeName("a\u200bb"))).toBe("a⟨200B⟩b");
    expect(safeName("Größe 日本語 🎉.ts")).toBe("Größe 日本語 🎉.ts");
  });

  test("differs from text that is only written", () => {
    expect(["a\x1b[2J", "\x9b31m", "\x07", "\x7f", "\0"].map(steersTerminals)).toEqual(Array(5).fill(true));
    expect(["", "a\tb\r\n\f\v", "Größe 日本語 \u202e"].map(steersTerminals)).toEqual(Array(3).fill(false));
  });
});
