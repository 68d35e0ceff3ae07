import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** How often a file is looked at, and how long an agent may take to write it, in milliseconds. */
const [pause, limit] = [100, 15_000];

/** A file that an agent is about to write. */
export interface ExpectedFile {
  /** Resolves with whether it has been written since, in time. @param signal aborted when nobody waits any more */
  written(signal: AbortSignal): Promise<boolean>;
}

/** As it is now, before the agent hears of the decision. */
export function expectFile(path: string): ExpectedFile {
  const before = stampOf(path);
  return {
    async written(signal) {
      for (let waited = 0; waited < limit && !signal.aborted; waited += pause) {
        if (stampOf(path) !== before) return true;
        await delay(pause, undefined, { ref: false });
      }
      return false;
    },
  };
}

function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : "missing";
  } catch {
    return "out of reach";
  }
}
