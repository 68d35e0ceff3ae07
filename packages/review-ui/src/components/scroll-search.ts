import type { EditorView } from "@codemirror/view";
import { diffLines, linesOf } from "../../../companion/src/files/line-diff.ts";
import { findMatches, maxMatches } from "../editor/finder.ts";
import { viewsOf } from "../editor/hunks.ts";
import { type Searched, selectedText } from "../editor/searched.ts";
import type { Scroll } from "../model/scroll.ts";

/** A match in a file of a scroll. */
interface FileMatch {
  readonly file: string;
  /** Among the matches of the file. */
  readonly index: number;
}

interface ScrollSearch {
  readonly scroll: Scroll;
  /** The ids of its files. */
  readonly files: () => readonly string[];
  /** Before and after the change. */
  readonly read: (file: string) => Promise<readonly [string, string]>;
  /** Of a file that is near. */
  readonly view: (file: string) => EditorView | undefined;
  readonly leave: () => void;
}

/** All files of a scroll. Those without an editor are found in by their texts. */
export function inScroll({ scroll, files, read, view, leave }: ScrollSearch): Searched<FileMatch> {
  const texts = new Map<string, string>();
  /** The file from which on it searches. */
  let origin: string | undefined;
  const readAll = async () => {
    origin = scroll.current.peek();
    for (const file of files()) {
      const sides = await read(file).catch(() => undefined);
      if (sides) texts.set(file, toSearchable(...sides));
    }
  };
  const count = (file: string, pattern: RegExp) => {
    const shown = view(file);
    return shown ? findMatches(viewsOf(shown), pattern).length : texts.get(file)?.match(pattern)?.length;
  };
  return {
    begin: readAll,
    find: (pattern) =>
      files()
        .flatMap((file) => Array.from({ length: count(file, pattern) ?? 0 }, (_, index) => ({ file, index })))
        .slice(0, maxMatches),
    show: (pattern, match) => {
      scroll.pattern.value = pattern;
      scroll.found.value = match && { ...match };
      if (match) scroll.place.value = { file: match.file };
    },
    isAtOrAfterCursor: ({ file }) => files().indexOf(file) >= files().indexOf(origin ?? ""),
    inputs: files,
    selection: () => selectedText(files().flatMap((file) => view(file) ?? [])),
    leave: () => {
      scroll.pattern.value = undefined;
      scroll.found.value = undefined;
      leave();
    },
  };
}

/** What a change leaves and adds, and then what it removes. */
function toSearchable(before: string, after: string): string {
  const lines = linesOf(before);
  const removed = diffLines(lines, linesOf(after)).flatMap((change) =>
    lines.slice(change.at, change.at + change.removed),
  );
  return `${after}\n${removed.join("")}`;
}
