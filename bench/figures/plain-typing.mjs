import { fork } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { createDiscoveryFolder } from "../announcement.mjs";
import { executableIn, probeIn } from "../bundle.mjs";
import { interleave } from "../rounds.mjs";
import { ServerProcess } from "../server-process.mjs";

const keys = 200;
const files = 10_000;
const sizes = { 1: { must: 1, aim: 0.5 }, 5: { must: 5, aim: 1 } };

/**
 * The work of the server for an editor without a plugin: a key typed into a large document, and ten thousand
 * documents opened at once.
 * @param {import("./index.mjs").Bench} bench
 */
export async function plainTyping(bench) {
  const kinds = ["lsp-floor", "executable"];
  const results = await interleave(kinds, bench.rounds, (kind) => measure(kind, bench));
  const [floor, ours] = kinds;
  const row = (title, name, limits) => ({ title, samples: results.in({ floor, ours }, name), ...limits });
  return [
    ...Object.entries(sizes).map(([size, limits]) =>
      row(`A key in a document of ${size} MB of a plain LSP editor: server's processor time`, size, limits),
    ),
    row(`${files} documents opened by a plain LSP editor: server's processor time`, "opened", {
      must: 1000,
      aim: 500,
    }),
  ];
}

async function measure(kind, { bundles, sandbox }) {
  const client = await LanguageClient.start(kind, { bundles, sandbox });
  try {
    const result = {};
    for (const size of Object.keys(sizes)) {
      const uri = pathToFileURL(join(sandbox.workspace, `large-${size}.ts`)).href;
      open(client, uri, "const one = 'line of a large file';\n".repeat((size * 1e6) / 36));
      await type(client, uri, 20, 0); // warm
      result[size] = (await type(client, uri, keys, 20)) / keys;
    }
    const before = await client.cpu();
    for (let file = 0; file < files; file++) {
      open(client, pathToFileURL(join(sandbox.workspace, `${file}.ts`)).href, "export const here = true;\n");
    }
    await client.answers();
    result.opened = (await client.cpu()) - before;
    return result;
  } finally {
    await client.close();
  }
}

function open(client, uri, text) {
  const textDocument = { uri, languageId: "typescript", version: 0, text };
  client.notify("textDocument/didOpen", { textDocument });
}

/** @returns milliseconds of processor time */
async function type(client, uri, count, from) {
  await client.answers();
  const before = await client.cpu();
  for (let key = 0; key < count; key++) {
    const position = { line: 1000, character: from + key };
    const contentChanges = [{ range: { start: position, end: position }, text: "x" }];
    client.notify("textDocument/didChange", {
      textDocument: { uri, version: from + key + 1 },
      contentChanges,
    });
    if (key % 10 === 0) await client.answers(); // a user does not type faster than the server reads
  }
  await client.answers();
  return (await client.cpu()) - before;
}

/** An editor without our plugin, and the language server that it has started. */
class LanguageClient {
  #server;
  #connection;

  /**
   * Resolves when the server has been initialized.
   * @param {"lsp-floor" | "executable"} kind
   * @param {import("./index.mjs").Bench} bench
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
