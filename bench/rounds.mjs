/**
 * Measures several subjects in turn, so that other work of the machine affects all of them alike.
 * @template Subject
 * @param {readonly Subject[]} subjects each round starts with another one
 * @param {number} rounds
 * @param {(subject: Subject, round: number) => Promise<Record<string, number>>} measure
 *   one round of one subject: a number for each thing measured
 * @returns {Promise<Map<Subject, Record<string, number[]>>>} a number for each thing and round
 */
export async function interleave(subjects, rounds, measure) {
  const results = new Map(subjects.map((subject) => [subject, {}]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = subjects[(round + turn) % subjects.length];
      const values = await measure(subject, round);
      const lists = results.get(subject);
      for (const [name, value] of Object.entries(values)) {
        lists[name] ??= [];
        lists[name].push(value);
      }
    }
  }
  return results;
}

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Measures a promise in milliseconds. */
export async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
