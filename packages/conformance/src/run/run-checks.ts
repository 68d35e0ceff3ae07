import type { Check } from "../checks/check.ts";
import { severalClis } from "../checks/transport/sessions.ts";
import { rules } from "../requirements/index.ts";
import { type RunOptions, runLanes } from "./lanes.ts";
import { createParallelCompanions } from "./parallel-companions.ts";
import type { Result } from "./result.ts";
import { type FamilySubject, runCheck } from "./run-check.ts";

/**
 * Runs checks of the contract of Gemini CLI and Qwen Code.
 * @returns the results in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  subject: FamilySubject,
  options: RunOptions = {},
): Promise<Result[]> {
  const parallel = createParallelCompanions(subject);
  const run = (check: Check, on: FamilySubject) => runCheck(check, on, parallel);
  try {
    return await runLanes(checks, { rules, severalClis, subject, run }, options);
  } finally {
    await parallel.close();
  }
}
