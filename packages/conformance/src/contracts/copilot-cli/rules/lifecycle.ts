import { existsSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../target/folders.ts";
import { deadPid, isListening } from "../../../target/machine.ts";
import { isJson, parseJson } from "../../../wire/json-rpc.ts";
import { byStart, demand, demandNone, endFaults, needAnswer, textsOf } from "../../check.ts";
import { answering, nameOf } from "../../fault.ts";
import { lockFolder } from "../../lock-file.ts";
import { observed, recommended } from "../../requirement.ts";
import { homeIn } from "../lock-file.ts";
import { type CopilotGroup, propose } from "./means.ts";

/** A lock file of another companion. @returns its path */
async function leaveLock(sandbox: Sandbox, name: string, content: object | string): Promise<string> {
  const folder = lockFolder(homeIn(sandbox));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.lock`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

const lockOf = (sandbox: Sandbox, pid: number) => ({
  socketPath: join(sandbox.systemFolders.tmp, "nobody.sock"),
  scheme: "unix",
  headers: { Authorization: "Nonce other" },
  pid,
  ideName: "Another editor",
  timestamp: Date.now(),
  workspaceFolders: ["/elsewhere"],
});

export const lifecycleRules: CopilotGroup = {
  PL1: {
    MUST: "When the companion ends, its lock file and its socket are gone, even if a CLI is connected.",
    sources: observed("The CLI notices the end of its companion by the lock file alone."),
    check: "lock-removed",
    ...byStart,
    async run({ start, connect, limits }) {
      const companion = await start();
      const { lock, socketPath } = companion.target;
      await connect(companion.target);
      demandNone([
        ...endFaults(await companion.end("SIGTERM"), limits),
        ...(existsSync(lock.path) ? [`after SIGTERM ${lock.path} is still there`] : []),
        ...(existsSync(socketPath) || (await isListening(socketPath))
          ? [`after SIGTERM ${socketPath} is still there`]
          : []),
      ]);
    },
    fault: { keepsLock: true, says: /after SIGTERM .*\.lock is still there/ },
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
    title: "a companion that ends decides no diff",
    ...byStart,
    async run(means) {
      const companion = await means.start();
      const cli = await means.connect(companion.target);
      const { call } = propose(cli, join(companion.sandbox.workspace, "undecided.txt"));
      // It is there once the companion has answered what came after it.
      await cli.call("update_session_name", { name: "undecided" });
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
          path = await leaveLock(sandbox, "dead", lockOf(sandbox, pid));
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
    check: "other-locks",
    ...byStart,
    async run({ start }) {
      let paths: readonly string[] = [];
      const companion = await start({
        async prepare(sandbox) {
          paths = [
            await leaveLock(sandbox, "other", lockOf(sandbox, process.pid)),
            await leaveLock(sandbox, "unreadable", "{"),
          ];
        },
      });
      const missing = (when: string) =>
        paths.filter((path) => !existsSync(path)).map((path) => `when it ${when}, ${path} was removed`);
      demandNone(missing("started"));
      await companion.end("SIGTERM");
      demandNone(missing("ended"));
    },
    fault: {
      start: (folder) => rmSync(folder, { recursive: true }),
      says: /when it started, .*other\.lock was removed/,
    },
  },
};
