import { type RunOptions, runLanes } from "../../run/lanes.ts";
import { examine, type Outcome, type Result } from "../../run/result.ts";
import { createCommonMeans, type Subject, whatIsMissing } from "../../run/subject.ts";
import { Evidence } from "../../wire/evidence.ts";
import type { CodexCheck, Means } from "./checks/means.ts";
import { answered } from "./checks/questions.ts";
import { rules } from "./rules.ts";
import type { CodexTarget, StartedCodex } from "./target/socket.ts";
import { IpcClient } from "./wire/ipc.ts";

export type CodexSubject = Subject<CodexTarget, StartedCodex>;

/**
 * Runs checks of Codex CLI's contract.
 * @returns the results in the order of the checks
 */
export function runCodexChecks(
  checks: readonly CodexCheck[],
  subject: CodexSubject,
  options: RunOptions = {},
): Promise<Result[]> {
  return runLanes(checks, { rules, severalClis: answered, subject, run: runCheck }, options);
}

function runCheck(check: CodexCheck, subject: CodexSubject): Promise<Outcome> {
  const evidence = new Evidence([]);
  const opened = createMeans(check, subject, evidence);
  return examine(check, {
    rules,
    evidence,
    missing: whatIsMissing(check, subject, true),
    within: subject.limits.check,
    run: () => check.run(opened.means),
    close: opened.close,
    facts: () => ({ isUnanswered: false, clis: opened.count() }),
  });
}

function createMeans(check: CodexCheck, subject: CodexSubject, evidence: Evidence) {
  const { target, limits } = subject;
  const common = createCommonMeans(check, subject, evidence, () => {});
  const clients: IpcClient[] = [];
  const means: Means = {
    ...common.means,
    target,
    async connect(socket = target.socket) {
      const client = await IpcClient.connect(socket, evidence);
      clients.push(client);
      return client;
    },
    async ask(request, socket) {
      const client = await means.connect(socket);
      try {
        return await client.ask(request, limits.answer);
      } finally {
        client.close();
      }
    },
  };
  return {
    means,
    count: () => clients.length,
    async close() {
      for (const client of clients) client.close();
      await common.close();
    },
  };
}
