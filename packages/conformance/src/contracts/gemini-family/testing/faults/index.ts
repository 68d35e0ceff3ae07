import type { Fault } from "../../../../testing/contract-tests.ts";
import type { Rules } from "../../example/rules.ts";
import { contextFaults } from "./context.ts";
import { diffsFaults } from "./diffs.ts";
import { discoveryFaults, lifecycleFaults } from "./discovery.ts";
import { securityFaults, transportFaults } from "./transport.ts";

/** A broken companion for every check, by the check's id. */
export const faults: Readonly<Record<string, Fault<Rules>>> = {
  ...transportFaults,
  ...securityFaults,
  ...discoveryFaults,
  ...contextFaults,
  ...diffsFaults,
  ...lifecycleFaults,
};
