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
import { type CodexCheck, checks } from "./checks/index.ts";
import { startCodexExample } from "./example/companion.ts";
import { rules } from "./rules.ts";
import { type CodexSubject, runCodexChecks } from "./run.ts";
import { startCodex } from "./target/socket.ts";
import { faults } from "./testing/faults.ts";

const example = builtExamples();
const agent = "codex-cli";

/** A companion for a check, with or without the fault that the check must find. */
async function subjectFor(
  check: CodexCheck,
  onEnd: (cleanup: () => void) => void,
  faulty: boolean,
): Promise<CodexSubject> {
  const folder = privateFolder(onEnd);
  const work = path.join(folder, "work");
  mkdirSync(work);
  const sockets = {
    socket: path.join(folder, "codex", "ipc", "ipc.sock"),
    formerSocket: path.join(folder, "codex-ipc", "ipc.sock"),
  };
  // Checks of started companions need the good one for its address only.
  const isBroken = faulty && check.lane !== "process";
  const running = await startCodexExample({
    ...sockets,
    folders: [work],
    rules: isBroken ? (faults[check.id]?.rules ?? {}) : {},
  });
  onEnd(() => running.close());
  const limits = faulty ? { ...quickLimits, process: 3000 } : incrementalLimits;
  return {
    target: { ...sockets, name: "the example", roots: [work] },
    limits,
    scratch: work,
    perform: performIn(running.editor),
    start: startExamples({ agent, check, isFaulty: faulty, example, folder, limits, startOne: startCodex }),
  };
}

contractTests({
  rules,
  checks,
  faults,
  run: async (check, onEnd, isFaulty) => runCodexChecks([check], await subjectFor(check, onEnd, isFaulty)),
});
