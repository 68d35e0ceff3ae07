import { randomBytes, randomUUID } from "node:crypto";
import { rmdirSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import path from "node:path";
import { namesIn } from "../../system/disk.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import { createLaterPart } from "../../system/later-part.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { removeFile } from "../../system/private-file.ts";
import { bearer, createGuard, createRefusalNews } from "../../transport/guard.ts";
import {
  type LocalName,
  type LocalSocket,
  listenOnLocalSocket,
  localPath,
} from "../../transport/local-socket.ts";
import { httpLimits } from "../../transport/loopback.ts";
import { replyText } from "../../transport/reply.ts";
import { startDiscovery } from "../discovery/discovery.ts";
import type { AgentFamily } from "../family.ts";
import { copilot } from "./copilot.ts";
import { lockFolders, toLockEntry } from "./lock-file.ts";

const remedy = "The editor's companion may have been restarted: run /ide and choose the editor.";

/**
 * GitHub Copilot CLI: MCP over HTTP on a Unix socket or a named pipe, one lock file, one token.
 * @see docs/reference/copilot-cli.md
 */
export const copilotFamily: AgentFamily = {
  agents: [copilot],

  async serve(_, core, host) {
    const { editor, events, roots, context } = core;
    const warn = (message: string) => events.emit({ kind: "warning", message });
    const token = randomBytes(32).toString("base64url");
    const guard = createGuard(["localhost"], [{ agent: copilot, token }], bearer(remedy));
    const tellOfRefusal = createRefusalNews(events.emit);
    // Only when a CLI connects, because the schemas take longer to load than all the rest.
    const endpoint = createLaterPart(async () => new (await import("./endpoint.ts")).Endpoint(core));
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      const admission = guard(request);
      if (!admission.admitted) {
        tellOfRefusal(admission.status, admission.message);
        return replyText(response, admission.status, admission.message);
      }
      endpoint.get().then(
        (ready) => ready.serve(request, response),
        (error) => replyText(response, 503, messageOf(error)),
      );
    };
    sweepSocketFolders(host);
    const name = toSocketName(host, randomBytes(6).toString("base64url"));
    const listener = await listen(name, serve, warn);
    const file = randomUUID();
    const timestamp = Date.now();
    const toEntry = () =>
      toLockEntry(
        file,
        {
          socketPath: localPath(name),
          headers: { Authorization: `Bearer ${token}` },
          pid: process.pid,
          ideName: editor.info.displayName,
          timestamp,
          workspaceFolders: roots(),
          isTrusted: context.current.isTrusted,
        },
        host,
      );
    const discovery = await startDiscovery({
      agents: [{ ...copilot, discoveryFolders: lockFolders }],
      filesOf: () => [toEntry()],
      host,
      onEvent: events.emit,
      onFailure: listener.close,
    });
    let { isTrusted } = context.current;
    const stopFeed = context.subscribe((latest) => {
      if (latest.isTrusted === isTrusted) return;
      isTrusted = latest.isTrusted;
      discovery.rewrite();
    });
    return {
      env: {},
      // The lock goes first: by it alone the CLI notices our end.
      discovery: [discovery],
      removeMore: listener.remove,
      async close() {
        stopFeed();
        await listener.close(async () => (await endpoint.made())?.close());
      },
    };
  },
};

/** How often the socket is looked for, in milliseconds. */
const upkeepInterval = 5000;

/** Listens on a socket, and puts it back where somebody deletes it, as systems do that clear their temporary folders. */
async function listen(name: LocalName, serve: RequestListener, warn: (message: string) => void) {
  const onTrouble = (error: Error) => warn(`a connection was turned away: ${error.message}`);
  /** The newest has the socket; the others keep their connections. */
  const servers: Server[] = [];
  let isOver = false;
  let isFree = true;
  let reported = "";

  async function open(): Promise<LocalSocket> {
    const server = createServer(httpLimits, serve);
    const opened = await listenOnLocalSocket(server, { path: localPath(name), onTrouble });
    servers.push(server);
    return opened;
  }

  async function putBack(): Promise<void> {
    isFree = false;
    try {
      const former = servers.at(-1);
      socket = await open();
      former?.close();
      reported = "";
      if (isOver) remove();
    } catch (error) {
      const message = `${copilot.displayName} cannot reach this companion: ${messageOf(error)}`;
      if (message !== reported) warn(message);
      reported = message;
    }
    isFree = true;
  }

  function remove(): void {
    isOver = true;
    clearInterval(upkeep);
    socket.remove();
    removeSocketFolder(name.folder);
    for (const server of servers) server.close();
  }

  let socket = await open();
  const upkeep = setInterval(() => {
    if (isFree && !socket.isInPlace()) void putBack();
  }, upkeepInterval).unref();
  return {
    remove,
    async close(sayGoodbye?: () => Promise<void>) {
      remove();
      await sayGoodbye?.();
      for (const server of servers) server.closeAllConnections();
    },
  };
}

const file = "copilot.sock";

/** Where a companion listens: in a separate folder, whose name has the process. */
function toSocketName(host: Host, id: string): LocalName {
  const name = `ide-companion-${process.pid}-${id}`;
  return { folder: path.join(host.tmp, name), file, pipe: name };
}

/** Removes the socket and its folder. Never throws. */
function removeSocketFolder(folder: string): void {
  removeFile(localPath({ folder, file, pipe: "" }, "linux"));
  try {
    rmdirSync(folder);
  } catch {
    // It is gone, or not ours, or somebody has put something else there.
  }
}

/** Removes what companions have left that were killed. */
function sweepSocketFolders({ tmp }: Host): void {
  for (const name of namesIn(tmp)) {
    const [, pid] = /^ide-companion-(\d+)-[\w-]{6,}$/.exec(name) ?? [];
    if (pid !== undefined && !pidIsAlive(Number(pid))) removeSocketFolder(path.join(tmp, name));
  }
}
