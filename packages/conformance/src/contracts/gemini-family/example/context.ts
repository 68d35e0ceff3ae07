import { existsSync } from "node:fs";
import { type ExampleEditor, type OpenFile, positionOf } from "../../../example/editor.ts";
import type { ExampleSession } from "./session.ts";

/** How the example reports what its user looks at. */
export const contextRules = {
  /** Sends it as soon as a stream opens. */
  atOnce: true,
  /** Milliseconds without a change before contexts are sent. */
  debounce: 50,
  /** The longest that a change waits while more follow, in milliseconds. */
  maxWait: 100,
  /** How often files are checked on disk, in milliseconds. */
  checkDiskEvery: 500,
  maxFiles: 10,
  maxSelection: 16_384,
  exists: existsSync as (path: string) => boolean,
  toFile,
  toContext,
  /** The sessions that receive a change. */
  recipients: (sessions: readonly ExampleSession[]): readonly ExampleSession[] => sessions,
};

export type ContextRules = typeof contextRules;

function toContext({ files, active }: ExampleEditor, rules: ContextRules): object {
  const newest = [...files.values()]
    .filter(({ path }) => rules.exists(path))
    .sort((a, b) => b.focusedAt - a.focusedAt)
    .slice(0, rules.maxFiles);
  return { workspaceState: { openFiles: newest.map((file) => rules.toFile(file, file === active, rules)) } };
}

function toFile(file: OpenFile, isActive: boolean, { maxSelection }: ContextRules): object {
  const { path, text, focusedAt: timestamp, anchor, head } = file;
  if (!isActive) return { path, timestamp };
  const selectedText = cut(text.slice(Math.min(anchor, head), Math.max(anchor, head)), maxSelection);
  return {
    path,
    timestamp,
    isActive,
    cursor: positionOf(text, head),
    ...(selectedText === "" ? {} : { selectedText }),
  };
}

/** A cut between the halves of a pair would leave half a character. */
function cut(text: string, longest: number): string {
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) && text.length > longest;
  return text.slice(0, splits ? longest - 1 : longest);
}

/** Sends a change once no more follow, after `maxWait` at the latest. */
export function createFeed(editor: ExampleEditor, rules: ContextRules, send: (context: object) => void) {
  let timer: NodeJS.Timeout | undefined;
  const current = () => rules.toContext(editor, rules);
  let lastSent = JSON.stringify(current());
  let waitingSince = 0;
  const fire = () => {
    clearTimeout(timer);
    timer = undefined;
    const context = current();
    if (JSON.stringify(context) === lastSent) return;
    lastSent = JSON.stringify(context);
    send(context);
  };
  const change = () => {
    const now = performance.now();
    if (timer) clearTimeout(timer);
    else waitingSince = now;
    timer = setTimeout(fire, Math.max(0, Math.min(rules.debounce, waitingSince + rules.maxWait - now)));
  };
  editor.on("change", change);
  const checking = setInterval(fire, rules.checkDiskEvery);
  return {
    current,
    close() {
      clearTimeout(timer);
      clearInterval(checking);
      editor.off("change", change);
    },
  };
}
