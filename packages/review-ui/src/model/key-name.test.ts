import { expect, test } from "vitest";
import { keyName } from "./key-name.ts";

const press = (key: string, code: string, ...held: readonly string[]) => ({
  key,
  code,
  ctrlKey: held.includes("Control"),
  metaKey: held.includes("Meta"),
  altKey: held.includes("Alt"),
  shiftKey: held.includes("Shift"),
});

test.each([
  ["Enter with Control", press("Enter", "Enter", "Control"), "Mod+Enter"],
  ["Shift and a letter", press("P", "KeyP", "Shift"), "P"],
  ["Shift and a key without a character", press("F6", "F6", "Shift"), "Shift+F6"],
  ["Alt and a letter", press("c", "KeyC", "Alt"), "Alt+c"],
  ["[ by AltGr, as Windows reports it", press("[", "Digit8", "Control", "Alt"), "["],
  ["a letter that AltGr types", press("ć", "KeyC", "Control", "Alt"), "Mod+Alt+ć"],
  ["a letter of another alphabet", press("с", "KeyC"), "c"],
  ["one with Shift", press("З", "KeyP", "Shift"), "P"],
  ["one with Control", press("а", "KeyF", "Control"), "Mod+f"],
  ["one where Latin keyboards have [", press("х", "BracketLeft"), "["],
  ["one of an alphabet without capitals", press("ח", "KeyJ"), "j"],
  ["an accented letter", press("é", "Digit2"), "é"],
  ["a letter in another place", press("a", "KeyQ"), "a"],
  ["a key without a place", press("с", ""), "с"],
])("a key is named elsewhere: %s", (_, pressed, name) => {
  expect(keyName(pressed, false)).toBe(name);
});

test.each([
  ["Enter with Command", press("Enter", "Enter", "Meta"), "Mod+Enter"],
  ["Enter with Control", press("Enter", "Enter", "Control"), "Control+Enter"],
  ["a letter that Option types", press("ç", "KeyC", "Alt"), "Alt+ç"],
  ["Option-Command-F", press("ƒ", "KeyF", "Meta", "Alt"), "Mod+Alt+f"],
  ["Option-Command-Shift-F", press("Ï", "KeyF", "Meta", "Alt", "Shift"), "Mod+Alt+F"],
  ["[ by Option", press("[", "Digit5", "Alt"), "["],
  ["an arrow with Option", press("ArrowDown", "ArrowDown", "Alt"), "Alt+ArrowDown"],
  ["a letter of another alphabet", press("с", "KeyC"), "c"],
])("a key is named on a Mac: %s", (_, pressed, name) => {
  expect(keyName(pressed, true)).toBe(name);
});
