import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isListening, listen } from "../../../target/machine.ts";
import { byStart, demand, demandNone, endFaults, needAnswer, unless } from "../../check.ts";
import { observed, recommended } from "../../requirement.ts";
import { configFolderIn } from "../target/lock-file.ts";
import { otherLock } from "./discovery.ts";
import type { ClaudeGroup } from "./means.ts";

export const lifecycleRules: ClaudeGroup = {
  CL1: {
    MUST: "When the companion ends, its lock file is removed and its port is closed.",
    sources: observed("A CLI that starts later tries each lock file whose process runs."),
    check: "lock-removed",
    ...byStart,
    async run({ start, connect, limits }) {
      const companion = await start();
      const { lock, port } = companion.target;
      await connect(companion.target);
      demandNone([
        ...endFaults(await companion.end("SIGTERM"), limits),
        ...(existsSync(lock.path) ? [`after SIGTERM ${lock.path} is still there`] : []),
        ...((await isListening(port)) ? [`after SIGTERM port ${port} is still open`] : []),
      ]);
    },
    fault: { keepsLock: true, says: /after SIGTERM .*\.lock is still there/ },
  },
  CL2: {
    MUST: "Lock files of other running companions stay.",
    sources: recommended("Another editor would lose its CLIs."),
    check: "other-locks",
    ...byStart,
    async run({ start }) {
      const other = await listen();
      try {
        let path = "";
        const companion = await start({
          async prepare(sandbox) {
            path = otherLock(configFolderIn(sandbox), other.port);
            await mkdir(dirname(path), { recursive: true, mode: 0o700 });
            const content = {
              pid: process.pid,
              ideName: "Another editor",
              transport: "ws",
              authToken: "other",
            };
            await writeFile(path, JSON.stringify({ ...content, workspaceFolders: ["/elsewhere"] }), {
              mode: 0o600,
            });
          },
        });
        demand(existsSync(path), `when it started, ${path} of a running process was removed`);
        await companion.end("SIGTERM");
        demand(existsSync(path), `when it ended, ${path} of a running process was removed`);
      } finally {
        await other.close();
      }
    },
    fault: {
      start: (folder) => rmSync(folder, { recursive: true }),
      says: /when it started, .* of a running process was removed/,
    },
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
