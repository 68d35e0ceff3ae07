import { setTimeout as delay } from "node:timers/promises";
import { holdsText } from "../../core/edits/file-check.ts";
import { fileStampOf } from "../../files/file-stamp.ts";

/** Milliseconds between two looks at a file. */
const pause = 100;

/** How many looks an agent has to write it, and after how many without a change it is written whatever it holds. */
const [most, settled] = [150, 10];

/** A file that an agent is about to write. */
export interface ExpectedFile {
  /**
   * Resolves with whether it has been written since, in time.
   * @param text the accepted one
   * @param signal aborted when nobody waits any more
   */
  written(text: string, signal: AbortSignal): Promise<boolean>;
}

/** As it is now, before the agent hears of the decision. */
export function expectFile(
  filePath: string,
  wait: () => Promise<unknown> = () => delay(pause, undefined, { ref: false }),
): ExpectedFile {
  const before = fileStampOf(filePath);
  return {
    async written(text, signal) {
      let [seen, same] = [before, 0];
      for (let looks = 0; looks < most && !signal.aborted; looks += 1) {
        const stamp = fileStampOf(filePath);
        same = stamp === seen ? same + 1 : 0;
        seen = stamp;
        // Agents empty a file before they write it. Some write another text than the accepted one.
        if (stamp !== before && (same >= settled || holdsText(filePath, text))) return true;
        await wait();
      }
      return seen !== before;
    },
  };
}
