import { fork } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { createDiscoveryFolder } from "./announcement.mjs";
import { executableIn, probeIn } from "./bundle.mjs";
import { ServerProcess } from "./server-process.mjs";

/** An editor without our plugin, and the language server that it has started. */
export class LanguageClient {
  #server;
  #connection;

  /**
   * Resolves when the server has been initialized.
   * @param {"lsp-floor" | "executable"} kind
   * @param {import("./figures/index.mjs").Bench} bench
   */
  static async start(kind, { bundles, sandbox }) {
    const { env } = await createDiscoveryFolder(sandbox);
    const isOurs = kind === "executable";
    const options = {
      env: { ...sandbox.env, ...env },
      execArgv: isOurs ? ["--import", probeIn(bundles)] : [],
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    };
    const client = new LanguageClient();
    client.#server = new ServerProcess(kind, () =>
      isOurs
        ? fork(executableIn(bundles), ["lsp"], options)
        : fork(join(bundles, `${kind}.mjs`), [], options),
    );
    const { stdin, stdout } = client.#server.child;
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
    return (await this.#server.ask("cpu")) / 1000;
  }

  async close() {
    this.#connection.dispose();
    await this.#server.close();
  }
}
