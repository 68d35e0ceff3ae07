/** One way to break the companion. */
export interface Part {
  /** As typed after `npm run torture --`. */
  readonly name: string;
  /** What it tries, for `--help`. */
  readonly sentence: string;
  /**
   * Ends after about `minutes`, or sooner when everything has been tried.
   * @throws Error when a promise was broken; it counts as `report.broken`
   */
  run(options: PartOptions): Promise<void>;
}

export interface PartOptions {
  /** How long it may take; a fraction is fine. */
  readonly minutes: number;
  /** A whole number from 0 to 2³²−1: the same seed repeats the same run. */
  readonly seed: number;
  readonly report: Report;
}

/** Receives what a part does. */
export interface Report {
  /** Progress, as often as the part likes: `1200 of 10000 sequences`. */
  progress(text: string): void;
  /** One line of the summary: `sequences`, `10000`. */
  figure(name: string, value: string | number): void;
  /** A promise seems broken, and the sequence is being shortened; `broken` follows when that is done. */
  suspect(symptom: string, sequence: string): void;
  /**
   * A promise was broken; the part may go on.
   * @param symptom what was seen, as a user would report it
   * @param sequence the shortest one that leads there
   */
  broken(symptom: string, sequence?: string): void;
}
