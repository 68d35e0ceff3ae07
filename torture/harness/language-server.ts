import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { spawnCompanion } from "../../packages/testkit/src/companion-process.ts";
import { startIdleProcess } from "./idle-process.ts";
import type { Sandbox } from "./sandbox.ts";

/** A companion that an editor starts, with the editor's end of their connection, which does not listen yet. */
export type LanguageServer = ReturnType<typeof spawnLanguageServer>;

/** @param script instead of the executable as it is shipped */
export function spawnLanguageServer(sandbox: Sandbox, script?: string) {
  const { workspace: cwd, env } = sandbox;
  const companion = spawnCompanion({ args: ["lsp"], cwd, env, stdio: "pipe", ...(script && { script }) });
  const { stdin, stdout } = sandbox.own(companion.child);
  if (!stdin || !stdout) throw new Error("ide-companion lsp has no pipes");
  const connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
  // Killed at the other end: its end reports it.
  for (const stream of [stdin, stdout]) stream.on("error", () => {});
  connection.onError(() => {});
  connection.onClose(() => {});
  return {
    companion,
    connection,
    /** Introduces the editor, whose process it is given. @returns that process */
    async initialize(capabilities: object, roots: readonly string[] = [sandbox.workspace]) {
      const editor = startIdleProcess(sandbox);
      const workspaceFolders = roots.map(toFolder);
      const params = { processId: editor.pid, rootUri: null, capabilities, workspaceFolders };
      await connection.sendRequest("initialize", {
        ...params,
        clientInfo: { name: "Torture", version: "1" },
      });
      await connection.sendNotification("initialized", {});
      return editor;
    },
  };
}

export const toFolder = (path: string) => ({ uri: pathToFileURL(path).href, name: "folder" });
