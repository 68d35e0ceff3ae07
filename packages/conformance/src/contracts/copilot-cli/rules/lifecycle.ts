import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../../target/folders.ts";
import { deadPid } from "../../../target/machine.ts";
import { isJson, parseJson } from "../../../wire/json-rpc.ts";
import { byStart, demand, needAnswer, textsOf } from "../../check.ts";
import { answering, nameOf } from "../../fault.ts";
import { leaveLock, lockLifeChecks } from "../../lock-file.ts";
import { observed, recommended } from "../../requirement.ts";
import { type CopilotTarget, copilotLocking } from "../lock-file.ts";
import { type CopilotGroup, callTool, propose } from "./means.ts";

const lockOf = (sandbox: Sandbox, pid: number) => ({
  socketPath: join(sandbox.systemFolders.tmp, "nobody.sock"),
  scheme: "unix",
  headers: { Authorization: "Nonce other" },
  pid,
  ideName: "Another editor",
  timestamp: Date.now(),
  workspaceFolders: ["/elsewhere"],
});

const locks = lockLifeChecks<CopilotTarget>({
  ...copilotLocking,
  leaveOthers: async (sandbox) => [
    await leaveLock(copilotLocking.ownFolderIn(sandbox), "other", lockOf(sandbox, process.pid)),
    await leaveLock(copilotLocking.ownFolderIn(sandbox), "unreadable", "{"),
  ],
});

export const lifecycleRules: CopilotGroup = {
  PL1: {
    MUST: "When the companion ends, its lock file and its socket are gone, even if a CLI is connected.",
    sources: observed("The CLI notices the end of its companion by the lock file alone."),
    ...locks.removed,
  },
  PL2: {
    SHOULD: "The lock file is removed before the connections close.",
    sources: observed("The CLI opens a broken stream again as long as the file is there."),
    check: "lock-first",
    ...byStart,
    async run({ start, connect, limits }) {
      const companion = await start();
      const { stream } = await connect(companion.target);
      const { path } = companion.target.lock;
      const ending = companion.end("SIGTERM");
      // Looked at when the stream has ended, and not later.
      const isThere = stream.closed.then(() => existsSync(path));
      needAnswer(await ending);
      await stream.listen(limits.event);
      if (existsSync(path)) return; // which the check above says
      demand(!(await isThere), `when the stream ended ${path} was still there`);
    },
    fault: { lockLast: true, says: /when the stream ended .*\.lock was still there/ },
  },
  PL3: {
    SHOULD: "When it ends while a diff is open, the companion does not decide it.",
    sources: observed("Without an answer the question in the terminal is still there."),
    check: "stops-undecided",
    ...byStart,
    async run(means) {
      const companion = await means.start();
      const cli = await means.connect(companion.target);
      const { call } = propose(cli, join(companion.sandbox.workspace, "undecided.txt"));
      // It is there once the companion has answered what came after it.
      await callTool(cli, "update_session_name", { name: "undecided" });
      needAnswer(await companion.end("SIGTERM"));
      const answer = await call.answer(means.limits.event).catch(() => undefined);
      if (!answer || !isJson(answer.result) || answer.result.isError === true) return;
      const [text = ""] = textsOf(answer, "open_diff");
      const decision = parseJson(text);
      demand(!isJson(decision) || decision.success !== true, `open_diff was answered ${text.slice(0, 200)}`);
    },
    fault: {
      unanswered: (asked) =>
        nameOf(asked) === "open_diff" ? answering(asked, '{"success":true,"result":"REJECTED"}') : undefined,
      says: /open_diff was answered .*REJECTED/,
    },
  },
  PL4: {
    MUST: "The lock file of a dead process is removed when a companion starts.",
    sources: observed(
      "The CLI removes none, and believes that it is connected to a companion that was killed until the file is gone.",
    ),
    check: "dead-lock",
    ...byStart,
    async run({ start }) {
      let path = "";
      const pid = await deadPid();
      await start({
        async prepare(sandbox) {
          path = await leaveLock(copilotLocking.ownFolderIn(sandbox), "dead", lockOf(sandbox, pid));
        },
      });
      demand(!existsSync(path), `${path} of the dead process ${pid} is still there`);
    },
    fault: {
      // The proxy removes nobody's.
      says: /of the dead process \d+ is still there/,
    },
  },
  PL5: {
    MUST: "The lock file of another process that runs stays, and so does one that cannot be read.",
    sources: recommended("Every other editor would lose its CLIs."),
    ...locks.others,
  },
};
