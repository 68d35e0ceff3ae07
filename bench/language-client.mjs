import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDiscoveryFolder } from "./announcement.mjs";
import { executableIn } from "./bundle.mjs";

const patience = 60_000;

/** An editor without our plugin, and the language server that it has started. */
export class LanguageClient {
  #child;
  #lastId = 0;
  #waiting = new Map();
  #received = Buffer.alloc(0);

  /**
   * Resolves when the server has been initialized.
   * @param {"lsp-floor" | "executable"} kind
   * @param {import("./figures/index.mjs").Bench} bench
   */
  static async start(kind, { bundles, sandbox }) {
    const { env } = await createDiscoveryFolder(sandbox);
    const probe = pathToFileURL(join(bundles, "probe.mjs")).href;
    const isOurs = kind === "executable";
    const child = fork(isOurs ? executableIn(bundles) : join(bundles, `${kind}.mjs`), isOurs ? ["lsp"] : [], {
      env: { ...sandbox.env, ...env },
      execArgv: isOurs ? ["--import", probe] : [],
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    });
    const client = new LanguageClient(child);
    const workspaceFolders = [{ uri: pathToFileURL(sandbox.workspace).href, name: "workspace" }];
    const introduction = { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders };
    await client.request("initialize", introduction);
    client.notify("initialized", {});
    await client.answers();
    return client;
  }

  /** @param {import("node:child_process").ChildProcess} child */
  constructor(child) {
    this.#child = child;
    child.stdout.on("data", (bytes) => this.#take(bytes));
    child.on("message", ({ id, result }) => this.#settle(`ipc ${id}`, result));
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  request(method, params) {
    this.#lastId += 1;
    this.#send({ id: this.#lastId, method, params });
    return this.#answerTo(this.#lastId);
  }

  /** Resolves when the server has processed everything that was sent before. */
  answers() {
    return this.request("textDocument/codeLens", { textDocument: { uri: "file:///nowhere" } });
  }

  /** Milliseconds of processor time that the server has used so far. */
  async cpu() {
    this.#lastId += 1;
    this.#child.send({ id: this.#lastId, name: "cpu", options: {} });
    return (await this.#answerTo(`ipc ${this.#lastId}`)) / 1000;
  }

  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }

  #send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #answerTo(key) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${key}`)), patience);
      this.#waiting.set(key, (value) => {
        clearTimeout(timer);
        resolve(value);
      });
    });
  }

  #settle(key, value) {
    this.#waiting.get(key)?.(value);
    this.#waiting.delete(key);
  }

  #take(bytes) {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let end = this.#headEnd(); end >= 0; end = this.#headEnd()) {
      const length = Number(/Content-Length: (\d+)/.exec(this.#received.toString("latin1", 0, end))[1]);
      if (this.#received.length < end + 4 + length) return;
      const { id, method, result } = JSON.parse(this.#received.toString("utf8", end + 4, end + 4 + length));
      this.#received = this.#received.subarray(end + 4 + length);
      if (method !== undefined && id !== undefined) this.#send({ id, result: null });
      if (method === undefined) this.#settle(id, result);
    }
  }

  #headEnd() {
    return this.#received.indexOf("\r\n\r\n");
  }
}
