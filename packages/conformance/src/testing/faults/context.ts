import path from "node:path";
import { positionOf } from "../../example/context.ts";
import type { OpenFile } from "../../example/editor.ts";
import { goodRules, type Rules } from "../../example/rules.ts";
import type { Fault } from "./fault.ts";

/** With something changed in each file that is told. */
const told = (change: (file: OpenFile, isActive: boolean) => object): Partial<Rules> => ({
  toFile: (file, isActive, rules) => ({
    ...goodRules.toFile(file, isActive, rules),
    ...change(file, isActive),
  }),
});

/** How far a byte is from the beginning of its line, counted from 1. */
function byteOf({ text, head }: OpenFile): number {
  const line = text.slice(0, head).split("\n").at(-1) ?? "";
  return Buffer.byteLength(line) + 1;
}

const startedAt = Date.now() - 60_000;

/** By the check that catches it. */
export const contextFaults: Readonly<Record<string, Fault>> = {
  "context-shape": { rules: told(() => ({ timestamp: new Date().toISOString() })), says: /timestamp is "20/ },
  "context-at-once": { rules: { atOnce: false }, says: /Gemini CLI got no ide\/contextUpdate/ },
  "focused-file": {
    rules: told(() => ({ isActive: false })),
    says: /the focus on .*first\.txt was not told/,
  },
  "closed-file": {
    rules: { toContext: remembering() },
    says: /that .*closed\.txt is closed was not told/,
  },
  cursor: {
    rules: told(({ text, head }, isActive) => {
      const { line, character } = positionOf(text, head);
      return isActive ? { cursor: { line: line - 1, character: character - 1 } } : {};
    }),
    says: /line 3, character 4 .* was not told/,
  },
  "utf-16": {
    rules: told((file, isActive) =>
      isActive ? { cursor: { ...positionOf(file.text, file.head), character: byteOf(file) } } : {},
    ),
    says: /line 1, character 5 .* was not told/,
  },
  "selected-text": {
    // As where the last character of a selection is forgotten.
    rules: told(({ text, anchor, head }, isActive) =>
      isActive ? { selectedText: text.slice(anchor, head - 1) } : {},
    ),
    says: /the selection "rst line\\nsec" was not told .*"selectedText":"rst line\\nse"/,
  },
  "stale-selection": {
    rules: told(rememberingSelection()),
    says: /that nothing is selected .* was not told/,
  },
  "real-files": {
    rules: told(({ path: file }) => ({ path: path.relative("/", file) })),
    says: /is not the absolute path of a file/,
  },
  "virtual-files": { rules: { exists: () => true }, says: /not-on-disk\.txt was told/ },
  "deleted-file": { rules: { lookEvery: 1_000_000 }, says: /that .*deleted\.txt is gone was not told/ },
  "focus-times": { rules: told(() => ({ timestamp: 1 })), says: /their times are 1 and 1/ },
  // As where the time is how long the editor runs.
  "unix-times": {
    rules: told(({ focusedAt }) => ({ timestamp: focusedAt - startedAt })),
    says: /now\.txt was focused between \d+ and \d+, its time is \d+/,
  },
  "focused-alone": {
    rules: told(({ text, head }) => ({ cursor: positionOf(text, head) })),
    says: /left\.txt has a cursor, and not the focus/,
  },
  "ten-files": { rules: { maxFiles: 100 }, says: /11 files are open, and 11 were told/ },
  "long-selection": { rules: { maxSelection: 100_000 }, says: /19999 characters of 19 999 were told/ },
  "whole-characters": {
    rules: told(({ text, anchor, head }, isActive) =>
      isActive && head > anchor ? { selectedText: text.slice(anchor, head).slice(0, 16_384) } : {},
    ),
    says: /16384 units were told, and they end in/,
  },
  debounce: {
    rules: { debounce: 0, toldOf: (sessions) => [...sessions, ...sessions, ...sessions] },
    says: /more than one each 50 ms/,
  },
  "every-cli": {
    rules: { toldOf: (sessions) => sessions.slice(-1) },
    says: /to Gemini CLI, the focus on .* was not told/,
  },
  starvation: { rules: { toContext: whenAtRest() }, says: /not one context came/ },
};

/** Files that have been told once are told for ever. */
function remembering(): Rules["toContext"] {
  const files = new Map<string, OpenFile>();
  return (editor, rules) => {
    for (const [file, open] of editor.files) files.set(file, open);
    return goodRules.toContext(Object.assign(Object.create(editor), { files }), rules);
  };
}

/** The last selection stays until there is another. */
function rememberingSelection(): (file: OpenFile, isActive: boolean) => object {
  let last: string | undefined;
  return ({ text, anchor, head }, isActive) => {
    if (head > anchor) last = text.slice(anchor, head);
    return isActive && last !== undefined ? { selectedText: last } : {};
  };
}

/** Tells of no place on the way, as a trailing debounce does while the cursor keeps moving. */
function whenAtRest(): Rules["toContext"] {
  let last: object = {};
  return (editor, rules) => {
    const { text = "", head = 0 } = editor.active ?? {};
    const isOnTheWay = head > 0 && text.slice(head).includes("\n", 5);
    if (!isOnTheWay) last = goodRules.toContext(editor, rules);
    return last;
  };
}
