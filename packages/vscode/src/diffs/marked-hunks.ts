import type { Hunk } from "ide-companion/editor-kit";

/** What tells a change from the others, wherever it stands; the same until somebody edits it. */
export function hunkKey({ added, removed }: Hunk, earlier: readonly Hunk[] = []): string {
  const text = JSON.stringify([added, removed]);
  const same = earlier.filter((hunk) => JSON.stringify([hunk.added, hunk.removed]) === text).length;
  return `${same}${text}`;
}

/** A change of a proposal, and whether the user has marked it as viewed. */
export interface MarkedHunk {
  readonly hunk: Hunk;
  readonly key: string;
  readonly isViewed: boolean;
}

/** @param viewed keys of the changes that the user has marked as viewed */
export function markHunks(hunks: readonly Hunk[], viewed: ReadonlySet<string>): readonly MarkedHunk[] {
  const earlier: Hunk[] = [];
  return hunks.map((hunk) => {
    const key = hunkKey(hunk, earlier);
    earlier.push(hunk);
    return { hunk, key, isViewed: viewed.has(key) };
  });
}
