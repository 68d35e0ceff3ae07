import { existsSync } from "node:fs";
import type { ExampleEditor, OpenFile } from "./editor.ts";
import type { ExampleSession } from "./session.ts";

/** How the example tells what its user is looking at. */
export const contextRules = {
  /** Sends it as soon as a stream opens. */
  atOnce: true,
  /** Milliseconds of quiet before a change is told. */
  debounce: 50,
  /** The longest that a change waits while others keep coming, in milliseconds. */
  maxWait: 100,
  /** How often files are looked for on disk, in milliseconds. */
  lookEvery: 500,
  maxFiles: 10,
  maxSelection: 16_384,
  exists: existsSync as (path: string) => boolean,
  toFile,
  toContext,
  /** The sessions that are told of a change. */
  toldOf: (sessions: readonly ExampleSession[]): readonly ExampleSession[] => sessions,
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

/** Both counted from 1. */
export function positionOf(text: string, offset: number): { line: number; character: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, character: (lines.at(-1)?.length ?? 0) + 1 };
}

/** A cut between the halves of a pair would leave half a character. */
function cut(text: string, longest: number): string {
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) && text.length > longest;
  return text.slice(0, splits ? longest - 1 : longest);
}

/** Tells a change after some quiet, but at the latest after `maxWait`. */
export function createFeed(editor: ExampleEditor, rules: ContextRules, tell: (context: object) => void) {
  let timer: NodeJS.Timeout | undefined;
  const current = () => rules.toContext(editor, rules);
  let told = JSON.stringify(current());
  let waitingSince = 0;
  const fire = () => {
    clearTimeout(timer);
    timer = undefined;
    const context = current();
    if (JSON.stringify(context) === told) return;
    told = JSON.stringify(context);
    tell(context);
  };
  const change = () => {
    const now = performance.now();
    if (timer) clearTimeout(timer);
    else waitingSince = now;
    timer = setTimeout(fire, Math.max(0, Math.min(rules.debounce, waitingSince + rules.maxWait - now)));
  };
  editor.on("change", change);
  const looking = setInterval(fire, rules.lookEvery);
  return {
    current,
    close() {
      clearTimeout(timer);
      clearInterval(looking);
      editor.off("change", change);
    },
  };
}
