import { clockFaults } from "./clock.ts";
import { descriptorFaults } from "./descriptors.ts";
import { diskFaults } from "./disk.ts";
import type { Fault } from "./fault.ts";
import { networkFaults } from "./network.ts";
import { standstillFaults } from "./standstill.ts";
import { strangerFaults } from "./strangers.ts";
import { twoEditorFaults } from "./two-editors.ts";
import { wireFaults } from "./wire.ts";
import { workspaceFaults } from "./workspace.ts";

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
