import type { Check } from "./check.ts";
import { contextChecks } from "./context/index.ts";
import { diffsChecks } from "./diffs/index.ts";
import { discoveryChecks } from "./discovery/index.ts";
import { lifecycleChecks } from "./lifecycle/index.ts";
import { securityChecks } from "./security/index.ts";
import { transportChecks } from "./transport/index.ts";

/** Every check, in the order of the requirements. */
export const checks: readonly Check[] = [
  ...transportChecks,
  ...securityChecks,
  ...discoveryChecks,
  ...contextChecks,
  ...diffsChecks,
  ...lifecycleChecks,
];

/** @throws Error for an id that no check has. */
export function checkOf(id: string): Check {
  const found = checks.find((check) => check.id === id);
  if (!found) throw new Error(`there is no check ${id}`);
  return found;
}

export type { Bench, Check, CheckHead, Lane, Need } from "./check.ts";
