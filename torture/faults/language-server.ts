import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { startIdleProcess } from "../harness/idle-process.ts";
import { portsOf, spawnCompanion, until, wholeFiles } from "./companion-process.ts";
import type { Fixture } from "./fault.ts";

/** An editor without a plugin, and the companion that serves it. */
export interface PlainEditor {
  readonly port: number;
  notify(method: string, params: object): Promise<void>;
  request(method: string, params: object): Promise<unknown>;
  /** The documents that it was asked to show, by path, the newest last. */
  readonly shown: readonly string[];
  /** What it was asked to change, in the order in which it was asked. */
  readonly edits: readonly object[];
  /** The user types: replaces the whole text of a shown document. */
  type(path: string, text: string): Promise<void>;
  /** Waits until it has received this message. @returns the message */
  receives(pattern: RegExp): Promise<string>;
}

const capabilities = {
  workspace: { workspaceFolders: true, applyEdit: true, workspaceEdit: { resourceOperations: ["delete"] } },
  window: { showDocument: { support: true } },
};

/** A companion that an editor starts, and the editor's end of their connection, which does not listen yet. */
export function spawnLanguageServer(fixture: Fixture) {
  const { child, output } = spawnCompanion(fixture, { args: ["lsp"], stdio: "pipe" });
  if (!child.stdout || !child.stdin) throw new Error("no pipe to the companion");
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  fixture.undo(() => connection.dispose());
  return { child, connection, output };
}

/** Introduces an editor, with the workspace as its folder. */
export async function initialize(
  { sandbox }: Fixture,
  connection: MessageConnection,
  capabilities: object,
): Promise<void> {
  const workspaceFolders = [{ uri: pathToFileURL(sandbox.workspace).href, name: "workspace" }];
  const { pid: processId } = startIdleProcess(sandbox);
  const params = { processId, rootUri: null, capabilities, workspaceFolders };
  await connection.sendRequest("initialize", params);
  await connection.sendNotification("initialized", {});
}

/** Starts it with the workspace as its folder; resolves once the CLIs can find it. */
export async function startPlainEditor(fixture: Fixture): Promise<PlainEditor> {
  const before = { files: wholeFiles(fixture).length, ports: portsOf(fixture) };
  const { connection, output } = spawnLanguageServer(fixture);
  const shown: string[] = [];
  const edits: object[] = [];
  const messages: string[] = [];
  connection.onRequest("window/showDocument", async ({ uri }: { uri: string }) => {
    if (!uri.startsWith("file:")) return { success: false };
    const path = fileURLToPath(uri);
    const textDocument = { uri, languageId: "plaintext", version: 1, text: readFileSync(path, "utf8") };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    shown.push(path);
    return { success: true };
  });
  connection.onRequest("workspace/applyEdit", ({ edit }: { edit: object }) => {
    edits.push(edit);
    return { applied: true };
  });
  connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
    messages.push(message);
  });
  connection.listen();
  await initialize(fixture, connection, capabilities);
  const wait = { describe: () => `${messages.join("\n")}\n${output()}` };
  const isFound = () => (wholeFiles(fixture).length >= before.files + 5 ? true : undefined);
  await until("discovery file", isFound, wait);
  let version = 1;
  return {
    port: portsOf(fixture).find((port) => !before.ports.includes(port)) ?? 0,
    notify: (method, params) => connection.sendNotification(method, params),
    request: (method, params) => connection.sendRequest(method, params),
    shown,
    edits,
    async type(path, text) {
      version += 1;
      const textDocument = { uri: pathToFileURL(path).href, version };
      await connection.sendNotification("textDocument/didChange", {
        textDocument,
        contentChanges: [{ text }],
      });
      // The answer to a later request proves that the text has arrived.
      await connection.sendRequest("textDocument/codeLens", { textDocument });
    },
    receives: (pattern) => until(`${pattern}`, () => messages.find((message) => pattern.test(message)), wait),
  };
}
