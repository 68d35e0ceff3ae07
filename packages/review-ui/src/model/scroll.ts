import { signal } from "@preact/signals";

/** Where a scroll of files goes to. */
export interface ScrollPlace {
  readonly file: string;
  /** The index of a change, at most the last one. */
  readonly hunk?: number;
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
    /** The match that it is at, by its index in a file. It stays when the file is drawn once more. */
    found: signal<{ readonly file: string; readonly index: number } | undefined>(undefined),
  };
}
