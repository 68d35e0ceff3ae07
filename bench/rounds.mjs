import { once } from "node:events";

/**
 * Measures several subjects in turn, so that other work of the machine affects all of them alike.
 * @template Subject
 * @param {readonly Subject[]} subjects each round starts with another one
 * @param {number} rounds
 * @param {(subject: Subject, round: number) => Promise<number | Record<string, number>>} measure
 *   one round of one subject: a number, or one for each thing measured
 * @param {{ warm?: boolean }} [options] `warm` for a round before, which does not count: it fills the system's caches
 * @returns {Promise<Results<Subject>>}
 */
export async function interleave(subjects, rounds, measure, { warm = false } = {}) {
  if (warm) await interleave(subjects, 1, measure);
  const results = new Results(subjects);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = subjects[(round + turn) % subjects.length];
      results.add(subject, await measure(subject, round));
    }
  }
  return results;
}

/** What was measured of some subjects, round by round. @template Subject */
class Results {
  #lists;

  constructor(subjects) {
    this.#lists = new Map(subjects.map((subject) => [subject, {}]));
  }

  add(subject, measured) {
    const lists = this.#lists.get(subject);
    const values = typeof measured === "number" ? { value: measured } : measured;
    for (const [name, value] of Object.entries(values)) {
      lists[name] ??= [];
      lists[name].push(value);
    }
  }

  /**
   * @param {Subject} subject
   * @param {string} [name] of the thing, where there are several
   * @returns {number[]} a number for each round
   */
  of(subject, name = "value") {
    return this.#lists.get(subject)[name];
  }

  /**
   * Samples for each column of a row.
   * @param {import("./report.mjs").Columns<Subject>} columns
   * @returns {import("./report.mjs").Row["samples"]}
   */
  in(columns, name) {
    return Object.fromEntries(
      Object.entries(columns).map(([column, subject]) => [column, this.of(subject, name)]),
    );
  }
}

/** What each value has more than the other of the same round. */
export const over = (floor, values) => values.map((value, round) => value - floor[round]);

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

/** Microseconds of the monotonic clock, which all processes share. */
export function now() {
  return Number(process.hrtime.bigint() / 1000n);
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Resolves when `isThere` returns true; it is called after each chunk of a stream.
 * @param {import("node:stream").Readable} stream
 * @param {() => boolean} isThere
 * @param {() => string} [describe] says what is missing
 */
export async function dataUntil(stream, isThere, describe = () => "nothing fit", milliseconds = 30_000) {
  const end = new AbortController();
  // Also when nothing else keeps this process running.
  const timer = setTimeout(() => end.abort(), milliseconds);
  try {
    while (!isThere()) await once(stream, "data", { signal: end.signal });
  } catch ({ message }) {
    throw new Error(`${describe()} within ${milliseconds} ms: ${message}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Starts processes, runs, and ends them whatever happens.
 * @template {{ close(): Promise<void> }} Started
 * @template T
 * @param {readonly Promise<Started>[]} starting
 * @param {(...started: Started[]) => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function withAll(starting, run) {
  const ends = await Promise.allSettled(starting);
  try {
    return await run(...(await Promise.all(starting)));
  } finally {
    await Promise.all(ends.map(({ value }) => value?.close()));
  }
}
