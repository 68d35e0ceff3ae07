import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { isListening } from "../../../target/process.ts";
import { byStart, demand, demandNone, endFaults, needAnswer } from "../../check.ts";
import { configFolderIn } from "../target/lock-file.ts";
import { otherLock } from "./discovery.ts";
import type { ClaudeCheck } from "./means.ts";

const lockRemoved: ClaudeCheck = {
  id: "lock-removed",
  title: "at the end the lock file is gone and the port is closed, even if a CLI is connected",
  requirements: ["CL1"],
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
};

const otherLocks: ClaudeCheck = {
  id: "other-locks",
  title: "the lock file of another running companion stays",
  requirements: ["CL2"],
  ...byStart,
  async run({ start }) {
    const other = createServer();
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    try {
      const address = other.address();
      const port = typeof address === "object" && address ? address.port : 0;
      let path = "";
      const companion = await start({
        async prepare(sandbox) {
          path = otherLock(configFolderIn(sandbox), port);
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
      other.close();
    }
  },
};

const sameAddress: ClaudeCheck = {
  id: "same-address",
  title: "after a restart the port and the token are the same",
  requirements: ["CL3"],
  ...byStart,
  async run({ start }) {
    const first = await start();
    needAnswer(await first.end("SIGTERM"));
    const second = await start({ sandbox: first.sandbox });
    demandNone([
      ...(second.target.port === first.target.port
        ? []
        : [`the port was ${first.target.port} and is ${second.target.port}`]),
      ...(second.target.token === first.target.token ? [] : ["the token is another one"]),
    ]);
  },
};

const reconnect: ClaudeCheck = {
  id: "reconnect",
  title: "a CLI whose socket broke connects again",
  requirements: ["CL4"],
  lane: "wire",
  async run({ connect }) {
    for (let time = 0; time < 5; time += 1) (await connect()).cut();
    const cli = await connect();
    await cli.texts("closeAllDiffTabs", {});
    cli.close();
    await connect();
  },
};

export const lifecycleChecks: readonly ClaudeCheck[] = [lockRemoved, otherLocks, sameAddress, reconnect];
