import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { toRealPath } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import { isStranger, userOfClient } from "../../system/liveness.ts";
import {
  createGuard,
  createRefusalNews,
  type Guard,
  hostsOf,
  type TokenScheme,
} from "../../transport/guard.ts";
import {
  listenForWebSockets,
  type Refusal,
  type WebSocketListener,
  type WebSocketOptions,
} from "../../transport/websocket.ts";
import { startDiscovery } from "../discovery/discovery.ts";
import type { AgentFamily, Core } from "../family.ts";
import { claude } from "./claude.ts";
import { type RememberedAddress, recallAddress } from "./remembered-address.ts";

/** Sockets at once; each is a CLI on this machine, so more of them is a fault. */
export const maxSessions = 256;

/** Bytes of the longest message. A proposal is always a whole file. */
export const maxMessageBytes = 64 * 1024 * 1024;

const scheme: TokenScheme = {
  header: "x-claude-code-ide-authorization",
  label: "x-claude-code-ide-authorization header",
  tokenOf: (value) => value,
  remedy: "The editor's companion may have been restarted: run /ide and choose the editor.",
};

/**
 * Claude Code, and other agents that read its lock files: JSON-RPC over a WebSocket, one lock file, one token.
 * @see docs/reference/claude-code.md
 */
export const claudeCodeFamily: AgentFamily = {
  agents: [claude],

  async serve(_, core, host) {
    const { editor, events, roots } = core;
    const warn = (message: string) => events.emit({ kind: "warning", message });
    const remembered = await recallAddress(host, [editor.info.name, ...roots()].join("\0"));
    let guard: Guard<typeof claude> | undefined;
    const tellOfRefusal = createRefusalNews((status, reason) =>
      events.emit({ kind: "request-refused", status, reason }),
    );
    const { listener, token } = await listen(remembered, {
      protocol: "mcp",
      maxMessage: maxMessageBytes,
      maxChannels: maxSessions,
      refuse(request) {
        const refusal = whyRefused(request, guard);
        if (refusal) tellOfRefusal(refusal.status, refusal.reason);
        return refusal;
      },
      loadHandler: () => loadHandler(core),
      onTrouble: (error) => warn(`a connection was turned away: ${messageOf(error)}`),
    });
    guard = createGuard(hostsOf(listener.port), [{ agent: claude, token }], scheme);
    const addressOf = () => ({
      port: listener.port,
      token,
      // The CLI compares with its working directory, which has no symlinks in it.
      roots: roots().map(toRealPath),
      ide: editor.info,
      pid: editor.pid,
      serverPid: process.pid,
    });
    const discovery = await startDiscovery({
      agents: [claude],
      filesOf: (agent) => agent.discoveryFiles(addressOf(), host),
      host,
      onWarning: warn,
      onWritten: (files) => events.emit({ kind: "discovery-changed", files }),
    }).catch(async (error) => {
      await listener.close();
      throw error;
    });
    remembered.hold({ port: listener.port, token });
    return {
      port: listener.port,
      env: claude.terminalEnv(addressOf(), host),
      get files() {
        return discovery.files;
      },
      rewriteFiles: () => discovery.rewrite(),
      removeFiles() {
        discovery.remove();
        remembered.release();
      },
      close: () => listener.close(),
    };
  },
};

/** Only when a CLI connects, because the schemas take longer to load than all the rest. */
async function loadHandler(core: Core) {
  const { serveConnection } = await import("./connection.ts");
  return serveConnection(core);
}

/** On the port of the companion before, if nobody has it; its token is good there alone. */
async function listen(
  { port, token = newToken() }: RememberedAddress,
  options: WebSocketOptions,
): Promise<{ readonly listener: WebSocketListener; readonly token: string }> {
  if (port !== undefined) {
    const listener = await listenForWebSockets({ ...options, port }).catch(() => undefined);
    if (listener) return { listener, token };
  }
  // The program that has that port now may have been sent the token.
  return { listener: await listenForWebSockets(options), token: newToken() };
}

const newToken = () => randomBytes(32).toString("base64url");

function whyRefused(request: IncomingMessage, guard: Guard<unknown> | undefined): Refusal | undefined {
  const admission = guard?.(request);
  if (admission && !admission.admitted) return { status: admission.status, reason: admission.message };
  const user = userOfClient(request.socket);
  if (isStranger(user))
    return { status: 403, reason: `This connection is user ${user}'s, who is somebody else.` };
  if (request.url !== "/") return { status: 404, reason: "There is nothing here: connect to /." };
  return undefined;
}
