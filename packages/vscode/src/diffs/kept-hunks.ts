import type { Hunk } from "ide-companion/editor-kit";

/** What tells a change from the others, wherever it stands; the same until somebody edits it. */
export function hunkKey({ added, removed }: Hunk, earlier: readonly Hunk[] = []): string {
  const text = JSON.stringify([added, removed]);
  const same = earlier.filter((hunk) => JSON.stringify([hunk.added, hunk.removed]) === text).length;
  return `${same}${text}`;
}

/** A change of a proposal, and whether the user has said to keep it. */
export interface MarkedHunk {
  readonly hunk: Hunk;
  readonly key: string;
  readonly isKept: boolean;
}

/** @param kept keys of the changes that the user has said to keep */
export function markHunks(hunks: readonly Hunk[], kept: ReadonlySet<string>): readonly MarkedHunk[] {
  const earlier: Hunk[] = [];
  return hunks.map((hunk) => {
    const key = hunkKey(hunk, earlier);
    earlier.push(hunk);
    return { hunk, key, isKept: kept.has(key) };
  });
}
