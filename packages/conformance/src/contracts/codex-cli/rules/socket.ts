import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { byStart, demand, demandNone, endFaults, modeOf, problemsOfPrivacy } from "../../check.ts";
import { observed, recommended } from "../../requirement.ts";
import type { CodexGroup } from "../target/socket.ts";
import { isAnswered, rootOf, socketIn, withRouter } from "../target/socket.ts";
import { contextOf, IpcClient, question, toFrame } from "../wire/ipc.ts";

/** What a killed program leaves. */
async function leaveStale(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await chmod(dirname(path), 0o700);
  const script =
    "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  spawnSync(process.execPath, ["--eval", script, path]);
  if (!existsSync(path)) throw new Error(`${path} could not be made`);
}

export const socketRules: CodexGroup = {
  XS1: {
    MUST: "A socket at `$CODEX_HOME/ipc/ipc.sock` (`~/.codex/ipc/ipc.sock`) is listened on.",
    sources: observed("The CLI tries this path first."),
    check: "reachable",
    async run({ connect }) {
      (await connect()).close();
    },
    fault: { socketName: "other.sock", says: /ipc\.sock cannot be connected to/ },
  },
  XS2: {
    MUST: "Neither the group nor others can write to the socket's folder.",
    sources: observed("The CLI does not connect to a socket in a folder of mode 0777."),
    check: "safe-folder",
    async run({ target }) {
      const folder = dirname(target.socket);
      const mode = await modeOf(folder);
      demand((mode & 0o022) === 0, `${folder} has mode ${mode.toString(8)}, and the CLI does not connect`);
    },
    fault: { folderMode: 0o777, says: /has mode 777, and the CLI does not connect/ },
  },
  XS3: {
    isSecurity: true,
    MUST: "Nobody but its user can connect: the folder has mode 0700 and the socket 0600.",
    sources: recommended("There is no token: the modes are all that keeps other users away."),
    check: "private-socket",
    async run({ target }) {
      demandNone(await problemsOfPrivacy([dirname(target.socket), target.socket]));
    },
    fault: { folderMode: 0o755, says: /ipc has mode 755, not 700/ },
  },
  XS4: {
    MAY: "Questions are answered at `$TMPDIR/codex-ipc/ipc-<uid>.sock` too (for root, `ipc.sock`).",
    sources: observed("The CLI tries it next, and older versions try it alone."),
    check: "former-socket",
    async run({ ask, root, target }) {
      contextOf(await ask(question(root), target.formerSocket));
    },
    fault: { onlyCurrent: true, says: /codex-ipc.* cannot be connected to/ },
  },
  XS5: {
    MUST: "A socket file whose program has ended is replaced.",
    sources: observed("A killed program leaves its socket file."),
    check: "stale-socket",
    ...byStart,
    async run({ start, limits }) {
      const inTime = start({ prepare: (sandbox) => leaveStale(socketIn(sandbox)) });
      const started = await inTime.catch((error: Error) => {
        demand(false, `with a dead socket in its place: ${error.message}`);
      });
      const isReplaced = await isAnswered(started.target.socket, rootOf(started), limits.answer);
      demand(isReplaced, "nobody answers in place of a dead socket");
    },
    fault: { keepsStale: true, says: /with a dead socket in its place: no companion within/ },
  },
};

export const framesRules: CodexGroup = {
  XF1: {
    MUST: "A message is its length in four bytes, little-endian, and its JSON. It may come in pieces, and several may come at once.",
    sources: observed("Both sides send this."),
    check: "pieces",
    async run({ connect, root, limits }) {
      const client = await connect();
      const requests = ["pieces-1", "pieces-2"].map((requestId) => ({
        type: "request",
        requestId,
        sourceClientId: "codex-tui",
        ...question(root),
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
        await delay(50);
      }
      for (const answer of await answers) contextOf(answer);
    },
    fault: { forgetsPieces: true, says: /no response within|closed without a response/ },
  },
  XF2: {
    MUST: "What is no message ends its own connection at most.",
    sources: recommended("Any program of the user can connect."),
    check: "garbage",
    ...byStart,
    async run({ start, connect, ask, limits }) {
      const started = await start();
      const [root, { socket }] = [rootOf(started), started.target];
      const other = await connect(socket);
      const huge = Buffer.from([255, 255, 255, 255, 123]);
      for (const bytes of [Buffer.alloc(4), huge, Buffer.from([4, 0, 0, 0, 110, 111, 110, 101])]) {
        const client = await connect(socket);
        client.sendBytes(bytes);
        await delay(100);
        client.close();
      }
      contextOf(await other.ask(question(root), limits.answer));
      contextOf(await ask(question(root), socket));
    },
    fault: {
      up(message, { cutAll }) {
        if (!message) cutAll();
        return message;
      },
      says: /no response within|closed without a response/,
    },
  },
};

export const lifecycleRules: CodexGroup = {
  XL1: {
    MUST: "When the companion ends, its socket is gone.",
    sources: recommended("The CLI would try it first."),
    check: "socket-removed",
    ...byStart,
    async run({ start, limits }) {
      const companion = await start();
      demandNone(endFaults(await companion.end("SIGTERM"), limits));
      const { socket } = companion.target;
      demand(!existsSync(socket), `after SIGTERM ${socket} is still there`);
    },
    fault: { keepsSocket: true, says: /after SIGTERM .*ipc\.sock is still there/ },
  },
  XL2: {
    MUST: "The socket of another program that listens stays.",
    sources: recommended("Every other editor would lose its CLIs."),
    check: "other-owner",
    ...byStart,
    async run(means) {
      await withRouter(means, async (router, companion) => {
        await companion.end("SIGTERM");
        demand(router.hasBeenJoined(), "the companion took the socket of another program");
        const client = await IpcClient.connect(companion.target.socket);
        await client.initialize(means.limits.answer);
        client.close();
      });
    },
    fault: { steals: true, says: /cannot be connected to|took the socket/ },
  },
};
