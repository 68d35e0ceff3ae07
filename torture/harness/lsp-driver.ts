import type { HideReason } from "../../packages/companion/src/core/editor.ts";
import type {
  DecisionAnswer,
  OpenDiffParams,
  StatusParams,
  UpdateDiffParams,
} from "../../packages/companion/src/frontends/protocol/messages.ts";
import { type Driver, type EditorNews, expectDiff, type ShownDiff, toShownDiff } from "./driver.ts";
import type { startIdleProcess } from "./idle-process.ts";
import { type LanguageServer, spawnLanguageServer, toFolder } from "./language-server.ts";
import type { Sandbox } from "./sandbox.ts";

/** One `ide-companion lsp`, and the process that it takes for its editor. */
interface Served extends LanguageServer {
  /** Lends its process id to the editor and ends with it. */
  readonly body: ReturnType<typeof startIdleProcess>;
  readonly port: number;
}

/**
 * An editor with a plugin, that talks over stdio to a companion in a separate process.
 * @param executable as it is shipped when absent
 * @throws Error when the companion ends at once
 */
export async function startLspDriver(sandbox: Sandbox, executable?: string): Promise<Driver> {
  const news: EditorNews[] = [];
  const diffs = new Map<string, ShownDiff>();
  let roots: readonly string[] = [sandbox.workspace];
  let generation = 0;
  let served = await begin();

  async function begin(): Promise<Served> {
    generation += 1;
    const toId = (id: string) => `${prefix}:${id}`;
    const prefix = generation;
    const server = spawnLanguageServer(sandbox, executable);
    const { companion, connection } = server;
    connection.onRequest("companion/openDiff", (params: OpenDiffParams) => {
      const diff = toShownDiff(toId(params.id), params, params.original ?? "");
      diffs.set(diff.id, diff);
      news.push({ kind: "shown", diff });
      return null;
    });
    connection.onRequest("companion/closeDiff", ({ id, reason }: { id: string; reason: HideReason }) => {
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
    const started = new Promise<number>((resolve) => {
      connection.onNotification("companion/status", ({ port }: StatusParams) => resolve(port));
    });
    const failed = companion.end.then((how): never => {
      throw new Error(`ide-companion lsp ended with ${how}:\n${companion.output()}`);
    });
    failed.catch(() => {}); // its end is a failure at the start alone
    connection.listen();
    const body = await Promise.race([
      server.initialize({ experimental: { ideCompanion: { version: 1 } } }, roots),
      failed,
    ]);
    return { ...server, body, port: await Promise.race([started, failed]) };
  }

  async function replace(end: (last: Served) => Promise<void>): Promise<void> {
    const last = served;
    await end(last);
    last.connection.dispose();
    last.body.kill("SIGKILL");
    // As a plugin does: they can no longer be decided.
    diffs.clear();
    served = await begin();
  }

  const shutDown = async ({ companion, connection }: Served) => {
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    await companion.end;
  };

  return {
    name: "lsp",
    get port() {
      return served.port;
    },
    get serverPid() {
      return served.companion.pid;
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
      served.connection.sendRequest("companion/draft", params).catch(() => {}); // its server is being killed
    },
    async decide(id, kind) {
      const diff = expectDiff(diffs, id);
      const method = kind === "accepted" ? "companion/diffAccepted" : "companion/diffRejected";
      const params = {
        id: id.slice(id.indexOf(":") + 1),
        ...(kind === "accepted" && { content: diff.text, ...(diff.isReadOnly && { ownVersion: true }) }),
      };
      const result = await served.connection.sendRequest<DecisionAnswer>(method, params);
      if (result.taken) diffs.delete(id);
      return result;
    },
    restart: () => replace(shutDown),
    killCompanion: () =>
      replace(async ({ companion }) => {
        companion.child.kill("SIGKILL");
        await companion.end;
      }),
    killEditor: () =>
      replace(async ({ companion: { child, end }, body }) => {
        body.kill("SIGKILL");
        // As the system does with the files of a dead process.
        child.stdin?.destroy();
        child.stdout?.destroy();
        await end;
      }),
    async close() {
      if (!served.companion.hasEnded) await shutDown(served);
      served.connection.dispose();
      served.body.kill("SIGKILL");
    },
  };
}
