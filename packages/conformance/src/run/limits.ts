/** How long a check waits, in milliseconds. */
export interface Limits {
  /** For an answer that is to come at once. */
  readonly answer: number;
  /** For what is to follow soon: an event, a file. */
  readonly event: number;
  /** In which nothing may come. */
  readonly quiet: number;
  /** After which a CLI opens a stream that broke again. */
  readonly reopening: number;
  /** How long a silent stream is listened to. */
  readonly silence: number;
  /** After which a CLI drops a silent stream: a silence that is shorter proves nothing. */
  readonly longestSilence: number;
  /** For a companion to start, or to stop. */
  readonly process: number;
  /** For the diffs of a killed CLI to close. */
  readonly reaping: number;
  /** For one check as a whole. */
  readonly check: number;
}

/**
 * @param patience by how much a companion may be slower than it should be, as on a busy machine
 * @param silence how long a silent stream is listened to, in milliseconds
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
