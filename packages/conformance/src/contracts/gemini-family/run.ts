import { setMaxListeners } from "node:events";
import { agents } from "../../agents.ts";
import { type RunOptions, runLanes } from "../../run/lanes.ts";
import { examine, type Outcome, type Result } from "../../run/result.ts";
import { createCommonMeans, type Subject, whatIsMissing } from "../../run/subject.ts";
import { Evidence } from "../../wire/evidence.ts";
import type { Bench, Check } from "./checks/means.ts";
import { severalClis } from "./checks/transport/sessions.ts";
import { createParallelCompanions, type ParallelCompanions } from "./parallel-companions.ts";
import { agentOf, rules } from "./requirements/index.ts";
import { agentsOf, type StartedCompanion, type Target } from "./target/target.ts";
import { Wire } from "./wire/wire.ts";

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

export type FamilySubject = Subject<Target, StartedCompanion>;

/** Runs one check, then closes and ends all that it has opened or started. */
async function runCheck(
  check: Check,
  subject: FamilySubject,
  parallel: ParallelCompanions,
): Promise<Outcome> {
  // What the parallel companions have done is evidence for each check that examines them.
  const own = new Evidence(subject.target.tokens.values());
  const evidence = check.lane === "parallel" ? parallel.evidence : own;
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // one for each request that is under way
  const { bench, wire, close } = createBench(check, {
    subject,
    parallel,
    evidence,
    signal: controller.signal,
  });
  return examine(check, {
    rules,
    evidence,
    missing: whoIsMissing(check, subject) ?? whatIsMissing(check, subject, subject.target.files.length > 0),
    within: subject.limits.check,
    run: () => check.run(bench),
    async close() {
      await close();
      controller.abort();
    },
    facts: () => ({ isUnanswered: wire.isUnanswered, clis: wire.sessionCount }),
  });
}

/** @returns that the companion does not serve the agent whose rules a check proves */
function whoIsMissing({ requirements }: Check, { target }: FamilySubject): string | undefined {
  const agent = agentOf(requirements);
  if (agent === undefined || agentsOf(target).includes(agent)) return undefined;
  return `the companion does not serve ${agents[agent].title}`;
}

interface BenchOptions {
  readonly subject: FamilySubject;
  readonly parallel: ParallelCompanions;
  readonly evidence: Evidence;
  readonly signal: AbortSignal;
}

function createBench(check: Check, { subject, parallel, evidence, signal }: BenchOptions) {
  const { target, limits } = subject;
  const wire = new Wire({ target, evidence, limits, signal });
  const common = createCommonMeans(check, subject, evidence, ({ tokens }) => {
    for (const token of tokens.values()) evidence.hide(token);
  });
  const bench: Bench = {
    ...common.means,
    target,
    agents: agentsOf(target),
    wire,
    parallel,
    note: (text) => evidence.note(text),
  };
  const close = async () => {
    await wire.close();
    await common.close();
  };
  return { bench, wire, close };
}
