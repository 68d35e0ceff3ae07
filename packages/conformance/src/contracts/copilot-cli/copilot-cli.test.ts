import { mkdirSync } from "node:fs";
import path from "node:path";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import {
  builtExamples,
  contractTests,
  incrementalLimits,
  performIn,
  quickLimits,
  startExamples,
} from "../../testing/contract-tests.ts";
import type { CopilotCheck } from "./checks/means.ts";
import { type CopilotSubject, copilotCli, runCopilotChecks } from "./contract.ts";
import { startCopilotExample } from "./example/companion.ts";
import { findCompanions, startCopilot } from "./lock-file.ts";
import { faults } from "./testing/faults.ts";

const { rules, checks } = copilotCli;
const example = builtExamples();
const agent = "copilot-cli";

/** A companion for a check, with or without the fault that the check must find. */
async function subjectFor(
  check: CopilotCheck,
  onEnd: (cleanup: () => void) => void,
  faulty: boolean,
): Promise<CopilotSubject> {
  const folder = privateFolder(onEnd);
  const [home, work] = [path.join(folder, "copilot"), path.join(folder, "work")];
  mkdirSync(work);
  // Checks of started companions need the good one for its address only.
  const isBroken = faulty && check.lane !== "process";
  const running = await startCopilotExample({
    home,
    tmp: folder,
    folders: [work],
    rules: isBroken ? (faults[check.id]?.rules ?? {}) : {},
  });
  onEnd(() => void running.close());
  const [target] = await findCompanions(home);
  if (!target) throw new Error("the example cannot be found");
  const limits = faulty ? quickLimits : incrementalLimits;
  return {
    target,
    limits,
    scratch: work,
    perform: performIn(running.editor),
    start: startExamples({ agent, check, isFaulty: faulty, example, folder, limits, startOne: startCopilot }),
  };
}

contractTests({
  rules,
  checks,
  faults,
  run: async (check, onEnd, isFaulty) => runCopilotChecks([check], await subjectFor(check, onEnd, isFaulty)),
});
