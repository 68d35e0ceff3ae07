import { setTimeout as delay } from "node:timers/promises";

/**
 * How long anything in these tests may take before it has failed, in milliseconds: four at once on two processors take
 * five times as long as one alone, and VS Code with a CLI in its terminal may need half a minute for a button then.
 */
export const patience = 120_000;

export interface PollOptions {
  /** Milliseconds until it has failed. */
  readonly within?: number;
  /** Milliseconds between two looks at most; the first ones follow sooner, since most things come soon. */
  readonly every?: number;
  /** What was seen last, for the error. */
  readonly describe?: () => string | Promise<string>;
}

/**
 * Looks again and again until `look` gives something, or true; for what cannot be subscribed to (screens, files).
 * @throws Error naming `what`, the deadline and what was seen instead.
 */
export async function poll<T>(
  what: string,
  look: () => Promise<T | false | undefined> | T | false | undefined,
  { within = patience, every = 100, describe }: PollOptions = {},
): Promise<T> {
  const deadline = Date.now() + within;
  for (let pause = 10; ; pause = Math.min(2 * pause, every)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() >= deadline) {
      const seen = describe === undefined ? "" : `; seen instead:\n${await describe()}`;
      throw new Error(`no ${what} within ${within / 1000} s${seen}`);
    }
    await delay(Math.min(pause, every));
  }
}

export interface InsistOptions extends PollOptions {
  /** Milliseconds in which it may have its effect before it is done again. */
  readonly again?: number;
}

/**
 * Does something until it has had its effect: a busy program ignores a key, or takes it for a part of a paste.
 * @throws Error as `poll` does
 */
export async function insist(
  effect: string,
  act: () => Promise<unknown>,
  hasHappened: () => Promise<boolean>,
  { again = 5000, ...options }: InsistOptions = {},
): Promise<void> {
  await poll(
    effect,
    async () => {
      await act();
      return poll(effect, hasHappened, { within: again, every: 50 }).catch(() => undefined); // ignored: once more
    },
    options,
  );
}

/** @throws Error naming `what` when it takes longer than these milliseconds */
export async function settleWithin<Value>(
  what: string,
  milliseconds: number,
  promise: Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took longer than ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
