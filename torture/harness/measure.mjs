import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/**
 * What this process holds, after a full collection.
 * @returns {Promise<{ heap: number, resident: number, descriptors: number, handles: number }>} bytes; counts.
 *   Descriptors on Linux only, elsewhere 0
 */
export async function measure() {
  for (let round = 0; round < 3; round++) {
    collect();
    await nextTurn(); // finalizers run here
  }
  const { heapUsed, rss } = process.memoryUsage();
  const descriptors = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  // Timers come and go; what is open stays.
  const handles = process.getActiveResourcesInfo().filter((name) => !/Timeout|Immediate/.test(name)).length;
  return { heap: heapUsed, resident: rss, descriptors, handles };
}
