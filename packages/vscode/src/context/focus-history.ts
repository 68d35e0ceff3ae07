import type { EditorContext, EditorFile } from "ide-companion";

/** The part of a VS Code tab that the history needs. */
export interface HistoryTab {
  /** The file on disk that it shows; none for a terminal, a web page, settings. */
  readonly path?: string;
  /** A terminal or a proposal: while it is in front, the user still works on the file behind it. */
  readonly isAside: boolean;
  /** It is the active tab of its group. */
  readonly isShown: boolean;
  /** Its group has the focus. */
  readonly isInActiveGroup: boolean;
}

/** Where the user is in the file that has the focus. */
export type Position = Pick<EditorFile, "cursor" | "selectedText" | "selection">;

/** Remembers which files had the focus, and when. */
export interface FocusHistory {
  /** @param positionIn called for the active file only */
  update(tabs: readonly HistoryTab[], positionIn: (path: string) => Position): EditorContext;
}

export function createFocusHistory(now: () => number = Date.now): FocusHistory {
  const focusedAt = new Map<string, number>();
  let active: string | undefined;

  /** A terminal or a proposal in front of a file leaves that file active. */
  function findActive(tabs: readonly HistoryTab[]): string | undefined {
    const front = tabs.find(({ isShown, isInActiveGroup }) => isShown && isInActiveGroup);
    if (front?.path !== undefined) return front.path;
    const last = tabs.filter(({ path }) => path !== undefined && path === active);
    const isVisible = last.some(({ isShown }) => isShown) || (last.length > 0 && front?.isAside === true);
    return isVisible ? active : undefined;
  }

  return {
    update(tabs, positionIn) {
      const paths = [...new Set(tabs.flatMap(({ path }) => path ?? []))];
      for (const path of focusedAt.keys()) if (!paths.includes(path)) focusedAt.delete(path);
      // Files that never had the focus count as older, in the order of their tabs.
      const time = now();
      for (const [index, path] of paths.entries()) {
        if (!focusedAt.has(path)) focusedAt.set(path, time - 1 - index);
      }
      const next = findActive(tabs);
      if (next !== undefined && next !== active) focusedAt.set(next, time);
      if (next !== undefined || (active !== undefined && !paths.includes(active))) active = next;
      const files = paths.map((path) => ({
        path,
        focusedAt: focusedAt.get(path) ?? time,
        ...(path === next ? positionIn(path) : {}),
      }));
      return { files, ...(next === undefined ? {} : { activePath: next }) };
    },
  };
}
