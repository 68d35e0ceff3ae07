import type { EditorContext, EditorFile } from "ide-companion";

/** A tab as far as the agents are concerned. */
export interface SeenTab {
  /** The file on disk that it shows; none for a terminal, a web page, settings. */
  readonly path?: string;
  /** It is no file, but the user talks about the file before it: a terminal, a proposal. */
  readonly isAside: boolean;
  /** It is the one that its group shows. */
  readonly isShown: boolean;
  /** Its group has the focus. */
  readonly isInActiveGroup: boolean;
}

/** Where the user is in the file that has the focus. */
export type Position = Pick<EditorFile, "cursor" | "selectedText">;

/** Remembers which files the user has looked at, and when. */
export interface Attention {
  /** @param positionIn where the user is in a file, asked of the active one only */
  see(tabs: readonly SeenTab[], positionIn: (path: string) => Position): EditorContext;
}

export function createAttention(now: () => number = Date.now): Attention {
  const focusedAt = new Map<string, number>();
  let active: string | undefined;

  /** The file that the user looks at, or talks about: a terminal or a proposal in front of it changes nothing. */
  function follow(tabs: readonly SeenTab[]): string | undefined {
    const front = tabs.find(({ isShown, isInActiveGroup }) => isShown && isInActiveGroup);
    if (front?.path !== undefined) return front.path;
    const last = tabs.filter(({ path }) => path !== undefined && path === active);
    const isInSight = last.some(({ isShown }) => isShown) || (last.length > 0 && front?.isAside === true);
    return isInSight ? active : undefined;
  }

  return {
    see(tabs, positionIn) {
      const paths = [...new Set(tabs.flatMap(({ path }) => path ?? []))];
      for (const path of focusedAt.keys()) if (!paths.includes(path)) focusedAt.delete(path);
      // Whatever was open before counts as older, in the order of its tabs.
      const time = now();
      for (const [index, path] of paths.entries()) {
        if (!focusedAt.has(path)) focusedAt.set(path, time - 1 - index);
      }
      const next = follow(tabs);
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
