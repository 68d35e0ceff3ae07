import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A clock that the test advances. */
export interface FakeClock {
  /** Milliseconds since it was set. */
  readonly now: number;
  /** Advances the clock; due timers have run, up to what waits for sockets. */
  pass(milliseconds: number): Promise<void>;
  /** Restores the real clock. */
  remove(): void;
}

/** Replaces `setTimeout`, `setInterval`, `Date` and `performance.now`; timers inside Node still use the real one. */
export function setFakeClock(): FakeClock {
  const start = Date.now();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: start });
  // Not by the mock, which records every call.
  const { now } = performance;
  performance.now = () => Date.now() - start;
  return {
    get now() {
      return Date.now() - start;
    },
    async pass(milliseconds) {
      mock.timers.tick(milliseconds);
      await nextTurn();
    },
    remove() {
      performance.now = now;
      mock.timers.reset();
    },
  };
}
