import { median } from "./rounds.mjs";

/**
 * One line of the table.
 * @typedef {object} Row
 * @property {string} title
 * @property {string} unit of the numbers
 * @property {{ floor?: number[], sdk?: number[], ours: number[] }} samples one number a round; those of one
 *   index were measured together
 * @property {"ratio" | "value"} judged what the limits apply to: ours over the floor, or ours alone
 * @property {number | "sdk"} [must] at most this, or less than the SDK reached in the same run
 * @property {number} [aim] at most this
 * @property {boolean} [atLeast] the limits are the least, not the most
 */

/** The median of all rounds, with the lowest and the highest. */
export function summarise(samples) {
  return { median: median(samples), min: Math.min(...samples), max: Math.max(...samples) };
}

/** Ratio to the floor, round by round: a disturbance of a round affects both. */
export function ratioTo(floor, samples) {
  if (!floor || !samples) return undefined;
  return summarise(samples.map((value, round) => value / floor[round]));
}

/** @returns {"aim" | "must" | "missed" | "unlimited"} what a row reaches; `unlimited` when it has no limits */
export function judge({ samples, judged, must, aim, atLeast = false }) {
  const reached = judged === "ratio" ? ratioTo(samples.floor, samples.ours) : summarise(samples.ours);
  const limit = must === "sdk" ? ratioTo(samples.floor, samples.sdk).median : must;
  const fits = (bound) => (atLeast ? reached.median >= bound : reached.median <= bound);
  if (limit !== undefined && !fits(limit)) return "missed";
  if (aim !== undefined && fits(aim)) return "aim";
  if (limit === undefined) return aim === undefined ? "unlimited" : "missed";
  return "must";
}
