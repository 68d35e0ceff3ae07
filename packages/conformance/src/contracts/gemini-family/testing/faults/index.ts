import { contextFaults } from "./context.ts";
import { diffsFaults } from "./diffs.ts";
import { discoveryFaults, lifecycleFaults } from "./discovery.ts";
import type { Fault } from "./fault.ts";
import { securityFaults, transportFaults } from "./transport.ts";

/** A broken companion for every check, by the check's id. */
export const faults: Readonly<Record<string, Fault>> = {
  ...transportFaults,
  ...securityFaults,
  ...discoveryFaults,
  ...contextFaults,
  ...diffsFaults,
  ...lifecycleFaults,
};
