import { signal } from "@preact/signals";

/** Where a scroll of files goes to. */
export interface ScrollPlace {
  readonly file: string;
  /** The index of a change, at most the last one. */
  readonly hunk?: number;
  /** The index of what a search has found in the file, likewise. */
  readonly match?: number;
  /** Not before the file has another revision: a change of it has been decided. */
  readonly notIn?: string;
}

/** Where the user is in the scroll in front. */
export type Scroll = ReturnType<typeof createScroll>;

export function createScroll() {
  return {
    /** Where it goes once it can; undefined when it is there. */
    place: signal<ScrollPlace | undefined>(undefined),
    /** The id of the file in which the keys act. */
    current: signal<string | undefined>(undefined),
    /** What a search finds in all files. */
    pattern: signal<RegExp | undefined>(undefined),
  };
}
