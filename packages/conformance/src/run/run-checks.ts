import type { Check } from "../checks/check.ts";
import { severalClis } from "../checks/transport/sessions.ts";
import { rules } from "../requirements/index.ts";
import { type RunOptions, runLanes } from "./lanes.ts";
import { createParallelCompanions } from "./parallel-companions.ts";
import type { Result } from "./result.ts";
import { runCheck, type Subject } from "./run-check.ts";

/**
 * Runs checks of the contract of Gemini CLI and Qwen Code.
 * @returns the results in the order of the checks
 */
export function runChecks(
  checks: readonly Check[],
  subject: Subject,
  options: RunOptions = {},
): Promise<Result[]> {
  const parallel = createParallelCompanions(subject);
  const { isolate } = subject;
  const runner = {
    rules,
    severalClis,
    run: (check: Check) => runCheck(check, subject, parallel),
    close: parallel.close,
    ...(isolate && {
      async runAlone(check: Check) {
        const alone = await isolate();
        try {
          return await runCheck(check, alone.subject, parallel);
        } finally {
          await alone.close();
        }
      },
    }),
  };
  return runLanes(checks, runner, options);
}
