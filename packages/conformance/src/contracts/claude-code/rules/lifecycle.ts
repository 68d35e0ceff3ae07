import { randomUUID } from "node:crypto";
import { byStart, demandNone, needAnswer, unless } from "../../check.ts";
import { leaveLock, lockLifeChecks } from "../../lock-file.ts";
import { observed, recommended } from "../../requirement.ts";
import { type ClaudeTarget, claudeLocking } from "../lock-file.ts";
import type { ClaudeGroup } from "./means.ts";

const locks = lockLifeChecks<ClaudeTarget>({
  ...claudeLocking,
  async leaveOthers(sandbox, port) {
    const content = { pid: process.pid, ideName: "Another editor", transport: "ws", authToken: "other" };
    const lock = { ...content, workspaceFolders: ["/elsewhere"] };
    return [await leaveLock(claudeLocking.ownFolderIn(sandbox), String(port), lock)];
  },
});

export const lifecycleRules: ClaudeGroup = {
  CL1: {
    MUST: "When the companion ends, its lock file is removed and its port is closed.",
    sources: observed("A CLI that starts later tries each lock file whose process runs."),
    ...locks.removed,
  },
  CL2: {
    MUST: "Lock files of other running companions stay.",
    sources: recommended("Another editor would lose its CLIs."),
    ...locks.others,
  },
  CL3: {
    SHOULD: "A companion that starts again in its folder has the same port and the same token.",
    sources: observed(
      "The CLI tries the same address with the same token for about 13 s, and finds no other one before `/ide`.",
    ),
    check: "same-address",
    ...byStart,
    async run({ start }) {
      const first = await start();
      needAnswer(await first.end("SIGTERM"));
      const second = await start({ sandbox: first.sandbox });
      demandNone([
        ...unless(
          second.target.port === first.target.port,
          `the port was ${first.target.port} and is ${second.target.port}`,
        ),
        ...unless(second.target.token === first.target.token, "the token is another one"),
      ]);
    },
    fault: {
      lock: (content) => ({ ...content, authToken: randomUUID() }),
      says: /the token is another one/,
    },
  },
  CL4: {
    MUST: "A CLI whose socket broke connects again with the same token.",
    sources: observed("It tries after 10 ms, with a full new handshake."),
    check: "reconnect",
    async run({ connect }) {
      for (let time = 0; time < 5; time += 1) (await connect()).cut();
      const cli = await connect();
      await cli.texts("closeAllDiffTabs", {});
      cli.close();
      await connect();
    },
    fault: {
      head: ({ headers, before }) => (before > 3 ? {} : headers),
      says: /the upgrade with the token was answered 401/,
    },
  },
};
