import path from "node:path";
import { type OpenFile, positionOf } from "../../../../example/editor.ts";
import type { Fault } from "../../../../testing/contract-tests.ts";
import { goodRules, type Rules } from "../../example/rules.ts";

/** Changes each file that a context lists. */
const changed = (change: (file: OpenFile, isActive: boolean) => object): Partial<Rules> => ({
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
export const contextFaults: Readonly<Record<string, Fault<Rules>>> = {
  "context-shape": {
    rules: changed(() => ({ timestamp: new Date().toISOString() })),
    says: /timestamp is "20/,
  },
  "context-at-once": { rules: { atOnce: false }, says: /Gemini CLI got no ide\/contextUpdate/ },
  "focused-file": {
    rules: changed(() => ({ isActive: false })),
    says: /the focus on .*first\.txt was not reported/,
  },
  "closed-file": {
    rules: { toContext: remembering() },
    says: /that .*closed\.txt is closed was not reported/,
  },
  cursor: {
    rules: changed(({ text, head }, isActive) => {
      const { line, character } = positionOf(text, head);
      return isActive ? { cursor: { line: line - 1, character: character - 1 } } : {};
    }),
    says: /line 3, character 4 .* was not reported/,
  },
  "utf-16": {
    rules: changed((file, isActive) =>
      isActive ? { cursor: { ...positionOf(file.text, file.head), character: byteOf(file) } } : {},
    ),
    says: /line 1, character 5 .* was not reported/,
  },
  "selected-text": {
    // The last character of a selection is missing.
    rules: changed(({ text, anchor, head }, isActive) =>
      isActive ? { selectedText: text.slice(anchor, head - 1) } : {},
    ),
    says: /the selection "rst line\\nsec" was not reported .*"selectedText":"rst line\\nse"/,
  },
  "stale-selection": {
    rules: changed(rememberingSelection()),
    says: /that nothing is selected .* was not reported/,
  },
  "real-files": {
    rules: changed(({ path: file }) => ({ path: path.relative("/", file) })),
    says: /is not the absolute path of a file/,
  },
  "virtual-files": { rules: { exists: () => true }, says: /not-on-disk\.txt was sent/ },
  "deleted-file": {
    rules: { checkDiskEvery: 1_000_000 },
    says: /that .*deleted\.txt is gone was not reported/,
  },
  "focus-times": { rules: changed(() => ({ timestamp: 1 })), says: /their times are 1 and 1/ },
  // The time counts from the start of the editor.
  "unix-times": {
    rules: changed(({ focusedAt }) => ({ timestamp: focusedAt - startedAt })),
    says: /now\.txt was focused between \d+ and \d+, its time is \d+/,
  },
  "focused-alone": {
    rules: changed(({ text, head }) => ({ cursor: positionOf(text, head) })),
    says: /left\.txt has a cursor but not the focus/,
  },
  "ten-files": { rules: { maxFiles: 100 }, says: /11 files are open, and 11 were sent/ },
  "long-selection": { rules: { maxSelection: 100_000 }, says: /19999 characters of 19 999 were sent/ },
  "whole-characters": {
    rules: changed(({ text, anchor, head }, isActive) =>
      isActive && head > anchor ? { selectedText: text.slice(anchor, head).slice(0, 16_384) } : {},
    ),
    says: /16384 units were sent, and they end in/,
  },
  debounce: {
    // So often that it is too often on a busy machine, too, where the movements take long.
    rules: { debounce: 0, recipients: (sessions) => Array.from({ length: 30 }, () => [...sessions]).flat() },
    says: /more than one each 50 ms/,
  },
  "every-cli": {
    rules: { recipients: (sessions) => sessions.slice(-1) },
    says: /to Gemini CLI, the focus on .* was not reported/,
  },
  starvation: { rules: { toContext: whenAtRest() }, says: /no context came/ },
};

/** Files that were reported once are reported for ever. */
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

/** Reports no position on the way, as a trailing debounce does while the cursor keeps moving. */
function whenAtRest(): Rules["toContext"] {
  let last: object = {};
  return (editor, rules) => {
    const { text = "", head = 0 } = editor.active ?? {};
    const isOnTheWay = head > 0 && text.slice(head).includes("\n", 5);
    if (!isOnTheWay) last = goodRules.toContext(editor, rules);
    return last;
  };
}
