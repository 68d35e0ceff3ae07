import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { CloseReason, DecisionResult } from "../../packages/companion/src/core/editor.ts";
import type {
  OpenDiffParams,
  StatusParams,
  UpdateDiffParams,
} from "../../packages/companion/src/frontends/lsp/messages.ts";
import { type Driver, type EditorNews, expectDiff, type ShownDiff } from "./driver.ts";
import { startIdleProcess } from "./idle-process.ts";
import type { Sandbox } from "./sandbox.ts";

const builtExecutable = join(import.meta.dirname, "../../packages/companion/dist/ide-companion.js");

/** One `ide-companion lsp`, the pipes to it and the process that it takes for its editor. */
interface Served {
  readonly frontend: ChildProcess;
  /** Lends its process id to the editor and ends with it. */
  readonly body: ChildProcess;
  readonly connection: MessageConnection;
  readonly port: number;
}

/** Its companion can be asked how much it holds. */
export interface LspDriver extends Driver {
  readonly frontend: ChildProcess;
}

/**
 * An editor with a plugin, that talks over stdio to a companion in a separate process.
 * @param execArgv for Node, before the executable; with a probe in it, the process has a channel
 * @throws Error when there is no executable, or it ends at once
 */
export async function startLspDriver(
  sandbox: Sandbox,
  execArgv: readonly string[] = [],
  executable = builtExecutable,
): Promise<LspDriver> {
  if (!existsSync(executable)) throw new Error(`there is no ${executable}: run npm run build`);
  const news: EditorNews[] = [];
  const diffs = new Map<string, ShownDiff>();
  let roots: readonly string[] = [sandbox.workspace];
  let generation = 0;
  let served = await begin();

  async function begin(): Promise<Served> {
    generation += 1;
    const toId = (id: string) => `${prefix}:${id}`;
    const prefix = generation;
    const body = startIdleProcess(sandbox);
    const frontend = sandbox.own(
      spawn(process.execPath, [...execArgv, executable, "lsp"], {
        cwd: sandbox.workspace,
        env: sandbox.env,
        stdio: ["pipe", "pipe", "ignore", ...(execArgv.length > 0 ? ["ipc" as const] : [])],
      }),
    );
    const { stdin, stdout } = frontend;
    if (!stdin || !stdout) throw new Error("ide-companion lsp has no pipes");
    const connection = createMessageConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    );
    // Killed at the other end: the end of the frontend reports it.
    for (const stream of [stdin, stdout]) stream.on("error", () => {});
    connection.onError(() => {});
    connection.onClose(() => {});
    connection.onRequest("companion/openDiff", (params: OpenDiffParams) => {
      const { id, agent, filePath, newContent, readOnlyReason } = params;
      const isReadOnly = readOnlyReason !== undefined;
      const base = params.original ?? "";
      const diff = {
        id: toId(id),
        agent,
        filePath,
        proposed: newContent,
        isReadOnly,
        base,
        text: newContent,
      };
      diffs.set(diff.id, diff);
      news.push({ kind: "shown", diff });
      return null;
    });
    connection.onRequest("companion/closeDiff", ({ id, reason }: { id: string; reason: CloseReason }) => {
      const diff = expectDiff(diffs, toId(id));
      diffs.delete(diff.id);
      news.push({ kind: "closed", diff, reason });
      return { content: diff.text };
    });
    connection.onRequest("companion/readDiff", ({ id }: { id: string }) => ({
      content: expectDiff(diffs, toId(id)).text,
    }));
    connection.onRequest("companion/updateDiff", (params: UpdateDiffParams) => {
      const { id, seen, content, newContent: proposed, original } = params;
      const diff = expectDiff(diffs, toId(id));
      if (diff.text === seen) Object.assign(diff, { proposed, base: original ?? "", text: content });
      return { content: diff.text };
    });
    const started = new Promise<number>((resolve, reject) => {
      connection.onNotification("companion/status", ({ port }: StatusParams) => resolve(port));
      frontend.once("exit", (code, signal) =>
        reject(new Error(`ide-companion lsp ended with ${code ?? signal}`)),
      );
    });
    connection.listen();
    const initialized = connection.sendRequest("initialize", {
      processId: body.pid,
      clientInfo: { name: "Torture", version: "1" },
      rootUri: null,
      capabilities: { experimental: { ideCompanion: { version: 1 } } },
      workspaceFolders: roots.map(toFolder),
    });
    // A process that has ended answers nothing.
    await Promise.race([initialized, started]);
    await connection.sendNotification("initialized", {});
    return { frontend, body, connection, port: await started };
  }

  /** What an editor's plugin does with the diffs that can no longer be decided. */
  function forgetDiffs(): void {
    diffs.clear();
  }

  async function replace(end: (last: Served) => Promise<void>): Promise<void> {
    const last = served;
    await end(last);
    last.connection.dispose();
    last.body.kill("SIGKILL");
    forgetDiffs();
    served = await begin();
  }

  const shutDown = async ({ frontend, connection }: Served) => {
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    await ended(frontend);
  };

  return {
    name: "lsp",
    get frontend() {
      return served.frontend;
    },
    get port() {
      return served.port;
    },
    get serverPid() {
      return served.frontend.pid ?? 0;
    },
    diffs,
    news,
    focus(context) {
      served.connection.sendNotification("companion/context", context).catch(() => {}); // its server is being killed
    },
    async setRoots(next) {
      const event = { added: next.map(toFolder), removed: roots.map(toFolder) };
      roots = next;
      await served.connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
    },
    edit(id, text) {
      const diff = diffs.get(id);
      if (!diff) return;
      diff.text = text;
      const params = { id: id.slice(id.indexOf(":") + 1), content: text };
      served.connection.sendNotification("companion/draft", params).catch(() => {}); // its server is being killed
    },
    async decide(id, kind) {
      const diff = expectDiff(diffs, id);
      const method = kind === "accepted" ? "companion/diffAccepted" : "companion/diffRejected";
      const params = {
        id: id.slice(id.indexOf(":") + 1),
        ...(kind === "accepted" && { content: diff.text, ...(diff.isReadOnly && { ownVersion: true }) }),
      };
      const result = await served.connection.sendRequest<DecisionResult>(method, params);
      if (result.taken) diffs.delete(id);
      return result;
    },
    restart: () => replace(shutDown),
    killCompanion: () =>
      replace(async ({ frontend }) => {
        frontend.kill("SIGKILL");
        await ended(frontend);
      }),
    killEditor: () =>
      replace(async ({ frontend, body }) => {
        body.kill("SIGKILL");
        // As the system does with the files of a dead process.
        frontend.stdin?.destroy();
        frontend.stdout?.destroy();
        await ended(frontend);
      }),
    async close() {
      if (served.frontend.exitCode === null && served.frontend.signalCode === null) await shutDown(served);
      served.connection.dispose();
      served.body.kill("SIGKILL");
    },
  };
}

const toFolder = (path: string) => ({ uri: pathToFileURL(path).href, name: "folder" });

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await once(child, "exit");
}
