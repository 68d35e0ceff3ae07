import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { createDiscoveryFolder } from "./announcement.mjs";
import { executableIn } from "./bundle.mjs";

/** An editor without our plugin, and the language server that it has started. */
export class LanguageClient {
  #child;
  #connection;

  /**
   * Resolves when the server has been initialized.
   * @param {"lsp-floor" | "executable"} kind
   * @param {import("./figures/index.mjs").Bench} bench
   */
  static async start(kind, { bundles, sandbox }) {
    const { env } = await createDiscoveryFolder(sandbox);
    const probe = pathToFileURL(join(bundles, "probe.mjs")).href;
    const isOurs = kind === "executable";
    const client = new LanguageClient();
    client.#child = fork(
      isOurs ? executableIn(bundles) : join(bundles, `${kind}.mjs`),
      isOurs ? ["lsp"] : [],
      {
        env: { ...sandbox.env, ...env },
        execArgv: isOurs ? ["--import", probe] : [],
        stdio: ["pipe", "pipe", "inherit", "ipc"],
      },
    );
    const { stdin, stdout } = client.#child;
    client.#connection = createMessageConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    );
    client.#connection.onRequest(() => null);
    client.#connection.listen();
    const workspaceFolders = [{ uri: pathToFileURL(sandbox.workspace).href, name: "workspace" }];
    const introduction = { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders };
    await client.#connection.sendRequest("initialize", introduction);
    client.notify("initialized", {});
    await client.answers();
    return client;
  }

  notify(method, params) {
    void this.#connection.sendNotification(method, params);
  }

  /** Resolves when the server has processed everything that was sent before. */
  answers() {
    return this.#connection.sendRequest("textDocument/codeLens", {
      textDocument: { uri: "file:///nowhere" },
    });
  }

  /** Milliseconds of processor time that the server has used so far. */
  async cpu() {
    this.#child.send({ id: 1, name: "cpu", options: {} });
    const [{ result }] = await once(this.#child, "message");
    return result / 1000;
  }

  async close() {
    this.#connection.dispose();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}
