/** One way to break the companion, and how far it has got. */
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
  /** A whole number from 0 to 2³²−1: the same seed tries the same again. */
  readonly seed: number;
  readonly report: Report;
}

/** Where a part tells what it does. */
export interface Report {
  /** How far it is, as often as it likes: `1200 of 10000 sequences`. */
  progress(text: string): void;
  /** One line of the summary: `sequences`, `10000`. */
  figure(name: string, value: string | number): void;
  /** Something is wrong, and is being made shorter: told at once, and by `broken` when that is done. */
  suspect(symptom: string, sequence: string): void;
  /**
   * A promise was broken; the part may go on.
   * @param symptom what was seen, as a user would tell it
   * @param sequence what leads there, shrunk as far as it goes
   */
  broken(symptom: string, sequence?: string): void;
}
