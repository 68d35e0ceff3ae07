import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { spawnLanguageServer } from "../harness/language-server.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { portsOf, wholeFiles } from "./companion.ts";

const capabilities = {
  workspace: { workspaceFolders: true, applyEdit: true, workspaceEdit: { resourceOperations: ["delete"] } },
  window: { showDocument: { support: true } },
};

/** An editor without a plugin, and the companion that serves it. */
export type PlainEditor = Awaited<ReturnType<typeof startPlainEditor>>;

/** Starts it with the workspace as its folder; resolves once the CLIs can find it. */
export async function startPlainEditor(sandbox: Sandbox) {
  const before = { files: wholeFiles(sandbox).length, ports: portsOf(sandbox) };
  const { companion, connection, initialize } = spawnLanguageServer(sandbox);
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
  await initialize(capabilities);
  const wait = { describe: () => `${messages.join("\n")}\n${companion.output()}` };
  const isFound = () => wholeFiles(sandbox).length >= before.files + 3;
  await poll("discovery file", isFound, wait);
  let version = 1;
  return {
    port: portsOf(sandbox).find((port) => !before.ports.includes(port)) ?? 0,
    notify: (method: string, params: object) => connection.sendNotification(method, params),
    request: (method: string, params: object) => connection.sendRequest<unknown>(method, params),
    /** The documents that it was asked to show, by path, the newest last. */
    shown,
    /** What it was asked to change, in the order in which it was asked. */
    edits,
    /** The user types: replaces the whole text of a shown document. */
    async type(path: string, text: string) {
      version += 1;
      const textDocument = { uri: pathToFileURL(path).href, version };
      await connection.sendNotification("textDocument/didChange", {
        textDocument,
        contentChanges: [{ text }],
      });
      // The answer to a later request proves that the text has arrived.
      await connection.sendRequest("textDocument/codeLens", { textDocument });
    },
    /** Waits until it has received this message. @returns the message */
    receives: (pattern: RegExp) =>
      poll(`${pattern}`, () => messages.find((message) => pattern.test(message)), wait),
  };
}
