import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createDiscoveryFolder, firstAnnouncement } from "./announcement.mjs";
import { executableIn, probeIn } from "./bundle.mjs";
import { openPageSocket } from "./testkit.mjs";

/** For any answer, in milliseconds; a whole flood takes seconds. */
const patience = 60_000;

/** One measured server, in a separate process that ends with this one. */
export class ServerProcess {
  port = 0;
  token = "";
  /** When it was started, by `performance.now()`. */
  startedAt = performance.now();
  /** The link to the page of the executable. */
  link;
  /** @type {import("node:child_process").ChildProcess} */
  child;
  #waiting = new Map();
  #lastId = 0;

  /**
   * Resolves when its port is open.
   * @param {string} kind one of `kinds`, "executable", or "page": the executable with its page open
   * @param {{ bundles: string, sandbox: import("./testkit.mjs").Folders }} bench
   */
  static async start(kind, bench) {
    if (kind === "page") return openPage(await startExecutable(bench));
    return kind === "executable" ? startExecutable(bench) : startBundle(kind, bench);
  }

  /** @param {() => import("node:child_process").ChildProcess} start */
  constructor(kind, start) {
    this.kind = kind;
    this.child = start();
    this.child.on("message", (message) => this.#take(message));
    this.child.once("exit", (code, signal) => this.#fail(`${kind} has ended with ${code ?? signal}`));
  }

  /** Resolves when the process says that it listens. */
  listening() {
    return new Promise((resolve, reject) => {
      this.#waiting.set("listening", { resolve, reject });
    });
  }

  /** Runs a command of `servers/commands.mjs` in the server. */
  ask(name, options = {}) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.kind}: no answer to ${name}`)), patience);
      const settle = (then) => (value) => {
        clearTimeout(timer);
        then(value);
      };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.child.send({ id, name, options });
    });
  }

  /** Idempotent. */
  async close() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }

  #take({ id, result, error, listening, token }) {
    if (token !== undefined) this.token = token;
    if (listening !== undefined) {
      this.port = listening;
      this.#settle("listening");
    }
    if (id !== undefined) this.#settle(id, result, error);
  }

  #settle(id, result, error) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`${this.kind}: ${error}`));
  }

  #fail(message) {
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}

async function startBundle(kind, { bundles, sandbox }) {
  const token = `token-of-${kind}`;
  const own = { BENCH_FOLDER: sandbox.workspace, BENCH_TOKEN: token };
  const options = {
    env: { ...sandbox.env, ...own },
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  };
  const server = new ServerProcess(kind, () => fork(join(bundles, `${kind}.mjs`), [], options));
  server.token = token;
  await server.listening();
  return server;
}

/** The executable announces its port in discovery files only. */
async function startExecutable({ bundles, sandbox }) {
  const { env, folder } = await createDiscoveryFolder(sandbox);
  const announced = firstAnnouncement(folder);
  const args = [sandbox.workspace, "--no-open", "--log-level", "quiet"];
  const options = {
    env: { ...sandbox.env, ...env },
    execArgv: ["--expose-gc", "--import", probeIn(bundles)],
    // It would end with its standard input.
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  };
  const server = new ServerProcess("executable", () => fork(executableIn(bundles), args, options));
  server.link = firstLink(server.child.stdout);
  const { port, authToken } = await announced;
  server.port = port;
  server.token = authToken;
  return server;
}

/** The link to the page, the only output of a quiet executable. */
function firstLink(stdout) {
  return new Promise((resolve) => {
    let text = "";
    stdout.on("data", (chunk) => {
      text += chunk;
      const [link] = /http:\/\/\S+(?=\s)/.exec(text) ?? [];
      if (link !== undefined) resolve(link);
    });
  });
}

/** Acts as an open page without a browser: it receives everything and has nothing to send. */
async function openPage(server) {
  const socket = await openPageSocket(await server.link, (text) => {
    if (text.slice(0, 30).includes('"flush"'))
      socket.send(JSON.stringify({ type: "flushed", id: JSON.parse(text).id }));
  });
  return server;
}

/**
 * Starts a server of each kind, runs, and ends them whatever happens.
 * @param {readonly string[]} chosen
 * @param {(servers: ServerProcess[]) => Promise<T>} run
 * @returns {Promise<T>}
 * @template T
 */
export async function withServers(chosen, bench, run) {
  const servers = [];
  try {
    for (const kind of chosen) servers.push(await ServerProcess.start(kind, bench));
    return await run(servers);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
