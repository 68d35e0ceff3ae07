/** How long a check waits, in milliseconds. */
export interface Limits {
  /** For an answer that must come at once. */
  readonly answer: number;
  /** For events and files that must follow soon. */
  readonly event: number;
  /** For a period in which nothing may come. */
  readonly quiet: number;
  /** After which a CLI reopens a broken stream. */
  readonly reopening: number;
  /** How long to listen to a silent stream. */
  readonly silence: number;
  /** After which a CLI drops a silent stream: a shorter silence proves nothing. */
  readonly longestSilence: number;
  /** For a companion to start, or to stop. */
  readonly process: number;
  /** For the diffs of a killed CLI to close. */
  readonly reaping: number;
  /** For one check as a whole. */
  readonly check: number;
}

/**
 * @param patience a factor for slow companions and busy machines
 * @param silence how long to listen to a silent stream, in milliseconds
 */
export function createLimits({ patience = 1, silence = 20_000 } = {}): Limits {
  return {
    answer: 5000 * patience,
    event: 5000 * patience,
    quiet: 600,
    reopening: 1000,
    silence,
    longestSilence: 300_000,
    process: 20_000 * patience,
    reaping: 20_000 * patience,
    check: 60_000 * patience + silence,
  };
}
