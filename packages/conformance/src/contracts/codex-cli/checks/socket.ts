import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { byStart, demand, demandNone, endFaults, modeOf } from "../../check.ts";
import type { CodexCheck } from "../target/socket.ts";
import { isAnswered, socketIn } from "../target/socket.ts";
import { contextOf, IpcClient, question, toFrame } from "../wire/ipc.ts";
import { startRouter } from "../wire/router.ts";

const reachable: CodexCheck = {
  id: "reachable",
  title: "the CLI connects where it looks first",
  requirements: ["XS1"],
  lane: "wire",
  async run({ connect }) {
    (await connect()).close();
  },
};

const safeFolder: CodexCheck = {
  id: "safe-folder",
  title: "the socket is in a folder that only its user can change",
  requirements: ["XS2"],
  lane: "wire",
  async run({ target }) {
    const folder = dirname(target.socket);
    const mode = await modeOf(folder);
    demand((mode & 0o022) === 0, `${folder} has mode ${mode.toString(8)}, and the CLI does not connect`);
  },
};

const privateSocket: CodexCheck = {
  id: "private-socket",
  title: "only its user can connect",
  requirements: ["XS3"],
  lane: "wire",
  async run({ target }) {
    const [folder, file] = [await modeOf(dirname(target.socket)), await modeOf(target.socket)];
    demandNone([
      ...((folder & 0o077) === 0 ? [] : [`the folder has mode ${folder.toString(8)}, not 700`]),
      ...((file & 0o077) === 0 ? [] : [`the socket has mode ${file.toString(8)}, not 600`]),
    ]);
  },
};

const formerSocket: CodexCheck = {
  id: "former-socket",
  title: "older versions are answered where they look",
  requirements: ["XS4"],
  lane: "wire",
  async run({ ask, target }) {
    contextOf(await ask(question(target.roots[0] ?? ""), target.formerSocket));
  },
};

/** What a killed program leaves. */
async function leaveStale(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await chmod(dirname(path), 0o700);
  const script =
    "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  spawnSync(process.execPath, ["--eval", script, path]);
  if (!existsSync(path)) throw new Error(`${path} could not be made`);
}

const staleSocket: CodexCheck = {
  id: "stale-socket",
  title: "what a killed program has left is replaced",
  requirements: ["XS5"],
  ...byStart,
  async run({ start, limits }) {
    const inTime = start({ prepare: (sandbox) => leaveStale(socketIn(sandbox)) });
    const { target } = await inTime.catch((error: Error) => {
      demand(false, `with a dead socket in its place: ${error.message}`);
    });
    demand(
      await isAnswered(target.socket, target.roots[0] ?? "", limits.answer),
      "nobody answers in place of a dead socket",
    );
  },
};

const pieces: CodexCheck = {
  id: "pieces",
  title: "a message is read in pieces, and two that come at once",
  requirements: ["XF1"],
  lane: "wire",
  async run({ connect, target, limits }) {
    const client = await connect();
    const [folder = ""] = target.roots;
    const requests = ["pieces-1", "pieces-2"].map((requestId) => ({
      type: "request",
      requestId,
      sourceClientId: "codex-tui",
      ...question(folder),
    }));
    const answers = Promise.all(
      requests.map(({ requestId }) => client.awaitResponse(requestId, limits.answer)),
    );
    answers.catch(() => {}); // reported below, once all has been sent
    const bytes = Buffer.concat(requests.map(toFrame));
    for (const [from, to] of [
      [0, 2],
      [2, 30],
      [30, bytes.length],
    ] as const) {
      client.sendBytes(bytes.subarray(from, to));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const answer of await answers) contextOf(answer);
  },
};

const garbage: CodexCheck = {
  id: "garbage",
  title: "what is no message ends its own connection at most",
  requirements: ["XF2"],
  ...byStart,
  async run({ start, connect, ask, limits }) {
    const { target } = await start();
    const other = await connect(target.socket);
    const huge = Buffer.from([255, 255, 255, 255, 123]);
    for (const bytes of [Buffer.alloc(4), huge, Buffer.from([4, 0, 0, 0, 110, 111, 110, 101])]) {
      const client = await connect(target.socket);
      client.sendBytes(bytes);
      await new Promise((resolve) => setTimeout(resolve, 100));
      client.close();
    }
    contextOf(await other.ask(question(target.roots[0] ?? ""), limits.answer));
    contextOf(await ask(question(target.roots[0] ?? ""), target.socket));
  },
};

const socketRemoved: CodexCheck = {
  id: "socket-removed",
  title: "at the end the socket is gone",
  requirements: ["XL1"],
  ...byStart,
  async run({ start, limits }) {
    const companion = await start();
    demandNone(endFaults(await companion.end("SIGTERM"), limits));
    const { socket } = companion.target;
    demand(!existsSync(socket), `after SIGTERM ${socket} is still there`);
  },
};

const otherOwner: CodexCheck = {
  id: "other-owner",
  title: "the socket of another program stays",
  requirements: ["XL2"],
  ...byStart,
  async run({ start, limits }) {
    let router: Awaited<ReturnType<typeof startRouter>> | undefined;
    try {
      const companion = await start({
        async prepare(sandbox) {
          router = await startRouter(socketIn(sandbox));
        },
      });
      await companion.end("SIGTERM");
      demand(router?.hasBeenJoined() === true, "the companion took the socket of another program");
      const client = await IpcClient.connect(companion.target.socket);
      await client.initialize(limits.answer);
      client.close();
    } finally {
      await router?.close();
    }
  },
};

export const socketChecks: readonly CodexCheck[] = [
  reachable,
  safeFolder,
  privateSocket,
  formerSocket,
  staleSocket,
  pieces,
  garbage,
];

export const lifecycleChecks: readonly CodexCheck[] = [socketRemoved, otherOwner];
