import { createRandom } from "../harness/random.ts";
import type { Part } from "../part.ts";
import { clockFaults } from "./clock.ts";
import { descriptorFaults } from "./descriptors.ts";
import { diskFaults } from "./disk.ts";
import { cause, type Fault } from "./fault.ts";
import { networkFaults } from "./network.ts";
import { standstillFaults } from "./standstill.ts";
import { strangerFaults } from "./strangers.ts";
import { twoEditorFaults } from "./two-editors.ts";
import { wireFaults } from "./wire.ts";
import { workspaceFaults } from "./workspace.ts";

/** Faults that run concurrently: they mostly wait. */
const workers = 4;

export const faultsPart: Part = {
  name: "faults",
  sentence: "Lets the machine fail around a companion: disks, descriptors, clocks, processes, the network.",
  async run({ minutes, seed, report }) {
    const end = performance.now() + minutes * 60_000;
    // A minute if there is time for it.
    const standstill = Math.min(60_000, minutes * 20_000);
    const random = createRandom(seed);
    let caused = 0;
    for (const { sentence, obstacle } of faults) {
      const reason = obstacle?.();
      if (reason !== undefined) report.progress(`left out, ${reason}: ${sentence}`);
    }
    const possible = faults.filter((fault) => fault.obstacle?.() === undefined);
    const queue = endless(possible);
    const work = async () => {
      // Each at least once, however short the time.
      while (caused < possible.length || performance.now() < end) {
        const fault = queue.next().value;
        caused += 1;
        await cause(fault, { standstill, random }).catch((error: Error) =>
          report.broken(`${fault.sentence}\n${error.message}`),
        );
        report.progress(`${caused} faults`);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    report.figure("faults caused", caused);
    report.figure("kinds of fault", possible.length);
    report.figure("s of standstill", standstill / 1000);
  },
};

function* endless(all: readonly Fault[]): Generator<Fault, never> {
  for (;;) yield* all;
}

export const faults: readonly Fault[] = [
  ...diskFaults,
  ...descriptorFaults,
  ...clockFaults,
  ...standstillFaults,
  ...strangerFaults,
  ...networkFaults,
  ...wireFaults,
  ...workspaceFaults,
  ...twoEditorFaults,
];
