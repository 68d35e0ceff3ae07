import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { agentChoices } from "../../agents.ts";
import {
  builtExamples,
  contractTests,
  incrementalLimits,
  performIn,
  quickLimits,
  startExamples,
} from "../../testing/contract-tests.ts";
import { contracts } from "../index.ts";
import { type ClaudeCheck, checks } from "./checks/index.ts";
import { startClaudeExample } from "./example/companion.ts";
import { rules } from "./requirements/index.ts";
import { type ClaudeSubject, runClaudeChecks } from "./run.ts";
import { findCompanions, startClaude } from "./target/lock-file.ts";
import { faults } from "./testing/faults.ts";

const example = builtExamples();
const agent = "claude-code";

/** A companion for a check, with or without the fault that the check must find. */
async function subjectFor(
  check: ClaudeCheck,
  onEnd: (cleanup: () => void) => void,
  faulty: boolean,
): Promise<ClaudeSubject> {
  const folder = privateFolder(onEnd);
  const [configFolder, work] = [path.join(folder, "claude"), path.join(folder, "work")];
  mkdirSync(work);
  // Checks of started companions need the good one for its address only.
  const isBroken = faulty && check.lane !== "process";
  const running = await startClaudeExample({
    configFolder,
    folders: [work],
    rules: isBroken ? (faults[check.id]?.rules ?? {}) : {},
  });
  onEnd(() => running.close());
  const [target] = await findCompanions([configFolder]);
  if (!target) throw new Error("the example cannot be found");
  const limits = faulty ? quickLimits : incrementalLimits;
  return {
    target,
    limits,
    scratch: work,
    perform: performIn(running.editor),
    start: startExamples({ agent, check, isFaulty: faulty, example, folder, limits, startOne: startClaude }),
  };
}

contractTests({
  rules,
  checks,
  faults,
  run: async (check, onEnd, isFaulty) => runClaudeChecks([check], await subjectFor(check, onEnd, isFaulty)),
});

test("every agent that can be named has a contract", () => {
  expect(contracts.flatMap(({ agents }) => agents)).toEqual(agentChoices);
});
