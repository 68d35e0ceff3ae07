import { fork } from "node:child_process";
import { on, once } from "node:events";
import { join } from "node:path";
import { createDiscoveryFolder, firstAnnouncement } from "./announcement.mjs";
import { executableIn, probeIn } from "./bundle.mjs";
import { withAll } from "./rounds.mjs";
import { openPageSocket } from "./testkit.mjs";

/** For any answer, in milliseconds; a whole flood takes seconds. */
const patience = 60_000;

/** One measured server, in a separate process that ends with this one. */
export class ServerProcess {
  port = 0;
  token = "";
  /** The link to the page of the executable. */
  link;
  /** @type {import("node:child_process").ChildProcess} */
  child;
  #lastId = 0;
  #end = new AbortController();

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
    this.child.once("exit", (code, signal) => this.#end.abort(`it has ended with ${code ?? signal}`));
  }

  /** Resolves when the process says that it listens. */
  async listening() {
    const { listening, token = this.token } = await this.#heard(({ listening }) => listening !== undefined);
    this.port = listening;
    this.token = token;
  }

  /** Runs a command of `servers/commands.mjs` in the server. */
  async ask(name, options = {}) {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = this.#heard((message) => message.id === id);
    this.child.send({ id, name, options });
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${this.kind}: ${error}`);
    return result;
  }

  /** Idempotent. */
  async close() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }

  /** The next message that fits. @throws {Error} when the process has ended, or sends none */
  async #heard(isMeant) {
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(patience)]);
    try {
      for await (const [message] of on(this.child, "message", { signal }))
        if (isMeant(message)) return message;
    } catch (error) {
      throw new Error(`${this.kind}: no answer, ${signal.reason ?? error}`);
    }
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
  const starting = chosen.map((kind) => ServerProcess.start(kind, bench));
  return withAll(starting, (...servers) => run(servers));
}
