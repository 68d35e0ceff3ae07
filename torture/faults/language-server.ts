import { pathToFileURL } from "node:url";
import { discoveryFiles, spawnCompanion, until } from "./companion-process.ts";
import type { Scene } from "./fault.ts";

/** A companion that serves an editor over LSP. */
export interface LanguageServer {
  notify(method: string, params: object): void;
  /** Waits until it has told the editor this. */
  says(pattern: RegExp): Promise<unknown>;
}

/** Starts one as an editor does, with the workspace as its folder; resolves once the CLIs can find it. */
export async function startLanguageServer(scene: Scene): Promise<LanguageServer> {
  const companion = spawnCompanion(scene, { args: ["lsp"], stdio: "pipe" });
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    companion.child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const workspaceFolders = [{ uri: pathToFileURL(scene.place.workspace).href, name: "workspace" }];
  const params = { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders };
  send({ id: 1, method: "initialize", params });
  await companion.says(/"id":1/);
  send({ method: "initialized", params: {} });
  await until("discovery file", () => (discoveryFiles(scene).length >= 5 ? true : undefined), {
    describe: companion.output,
  });
  return { notify: (method, params) => send({ method, params }), says: companion.says };
}
