import { type RunOptions, runLanes } from "../../run/lanes.ts";
import { examine, type Outcome, type Result } from "../../run/result.ts";
import { createCommonMeans, type Subject, whatIsMissing } from "../../run/subject.ts";
import { Evidence } from "../../wire/evidence.ts";
import type { ClaudeCheck, Means } from "./checks/means.ts";
import { severalClis } from "./checks/socket.ts";
import { rules } from "./requirements/index.ts";
import type { ClaudeTarget, StartedClaude } from "./target/lock-file.ts";
import { Cli } from "./wire/cli.ts";
import { upgrade } from "./wire/frame-socket.ts";

export type ClaudeSubject = Subject<ClaudeTarget, StartedClaude>;

/**
 * Runs checks of Claude Code's contract.
 * @returns the results in the order of the checks
 */
export function runClaudeChecks(
  checks: readonly ClaudeCheck[],
  subject: ClaudeSubject,
  options: RunOptions = {},
): Promise<Result[]> {
  return runLanes(checks, { rules, severalClis, subject, run: runCheck }, options);
}

function runCheck(check: ClaudeCheck, subject: ClaudeSubject): Promise<Outcome> {
  const evidence = new Evidence([subject.target.token]);
  const opened = createMeans(check, subject, evidence);
  return examine(check, {
    rules,
    evidence,
    missing: whatIsMissing(check, subject, true),
    within: subject.limits.check,
    run: () => check.run(opened.means),
    close: opened.close,
    facts: opened.facts,
  });
}

function createMeans(check: ClaudeCheck, subject: ClaudeSubject, evidence: Evidence) {
  const { target, limits } = subject;
  const common = createCommonMeans(check, subject, evidence, ({ token }) => evidence.hide(token));
  const clis: Cli[] = [];
  let isUnanswered = false;
  const newCli = ({ port, token }: ClaudeTarget = target) => {
    const onUnanswered = () => {
      isUnanswered = true;
    };
    const cli = new Cli({ port, token, evidence, answerWithin: limits.answer, onUnanswered });
    clis.push(cli);
    return cli;
  };
  const means: Means = {
    ...common.means,
    target,
    newCli,
    async connect(to) {
      const cli = newCli(to);
      await cli.open();
      await cli.greet();
      return cli;
    },
    async knock(headers) {
      evidence.note(`→ upgrade with ${JSON.stringify(headers)}`);
      const answer = await upgrade({ port: target.port, headers, within: limits.answer, onText: () => {} });
      evidence.note(`← ${answer.status}`);
      answer.socket?.cut();
      return answer;
    },
  };
  return {
    means,
    facts: () => ({ isUnanswered, clis: clis.length }),
    async close() {
      // As CLIs that exit: the companion takes their diffs away.
      for (const cli of clis) cli.close();
      await common.close();
    },
  };
}
