import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Time that passes when it is told to. */
export interface FakeClock {
  /** Milliseconds since it was set. */
  readonly now: number;
  /** Lets time pass; what it wakes has run as far as it goes without waiting for a socket. */
  pass(milliseconds: number): Promise<void>;
  /** Gives the real time back. */
  remove(): void;
}

/** Puts a clock in the sandbox of `setTimeout`, `setInterval`, `Date` and `performance.now`; Node's own timers go on. */
export function setFakeClock(): FakeClock {
  const start = Date.now();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: start });
  // Not by the mock, which keeps a record of every call.
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
