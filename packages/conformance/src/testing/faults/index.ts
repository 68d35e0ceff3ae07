import { contextFaults } from "./context.ts";
import { diffsFaults } from "./diffs.ts";
import { discoveryFaults } from "./discovery.ts";
import type { Fault } from "./fault.ts";
import { lifecycleFaults } from "./lifecycle.ts";
import { securityFaults } from "./security.ts";
import { transportFaults } from "./transport.ts";

/** A broken companion for every check, by the check's id. */
export const faults: Readonly<Record<string, Fault>> = {
  ...transportFaults,
  ...securityFaults,
  ...discoveryFaults,
  ...contextFaults,
  ...diffsFaults,
  ...lifecycleFaults,
};

export type { Fault } from "./fault.ts";
