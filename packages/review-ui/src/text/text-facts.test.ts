import { describe, expect, test } from "vitest";
import { createWording } from "../language/language.ts";
import { compareForm } from "./text-facts.ts";

const { t } = createWording();

const labels = (before: string | undefined, after: string) =>
  compareForm(before, after, t).map(({ label }) => label);

/** Applies every repair that is offered. */
function repaired(before: string, after: string): string {
  return compareForm(before, after, t).reduce((text, { repair }) => repair?.apply(text) ?? text, after);
}

describe("the form of a change", () => {
  const cases = [
    ["an ordinary LF text", "a\n", "b\n", []],
    ["a CRLF text that stays one", "a\r\n", "b\r\n", ["CRLF"]],
    ["a CRLF text that becomes LF", "a\r\nb\r\n", "a\nb\n", ["CRLF → LF"]],
    ["an LF text that becomes mixed", "a\nb\n", "a\r\nb\n", ["LF → mixed"]],
    ["a mixed text that becomes LF", "a\r\nb\n", "a\nb\n", ["mixed → LF"]],
    ["a BOM that stays", "\ufeffa\n", "\ufeffb\n", ["BOM"]],
    ["a BOM that goes", "\ufeffa\n", "a\n", ["− BOM"]],
    ["a BOM that comes", "a\n", "\ufeffa\n", ["+ BOM"]],
    ["no newline at the end, as before", "a", "b", ["no newline at end"]],
    ["a newline at the end that goes", "a\n", "a", ["− newline at end"]],
    ["a newline at the end that comes", "a", "a\n", ["+ newline at end"]],
    ["a new file without a newline at its end", undefined, "a", ["no newline at end"]],
    ["a text that becomes empty", "a\n", "", []],
  ] as const;
  for (const [name, before, after, expected] of cases) {
    test(`reports ${name}`, () => {
      expect(labels(before, after)).toEqual(expected);
    });
  }

  test("equals the file on disk when everything is restored", () => {
    expect(repaired("\ufeffa\r\nb\r\n", "a\nB")).toBe("\ufeffa\r\nB\r\n");
    expect(repaired("a", "\ufeffa\n")).toBe("a");
  });
});
