import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { hashOf } from "../../files/text-hash.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import { type Host, stateFolder } from "../../system/host.ts";
import { tryParseJson } from "../../system/json.ts";
import { isStranger, pidIsAlive, portIsServed, userOfClient } from "../../system/liveness.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "../../system/private-file.ts";
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
import { toTerminalEnv } from "../discovery/announced.ts";
import { startDiscovery } from "../discovery/discovery.ts";
import type { AgentFamily, Core } from "../family.ts";
import { claude } from "./claude.ts";

/** Sockets at once; each is a CLI on this machine, so more of them is a fault. */
export const maxSessions = 256;

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
    const remembered = await recallAddress(host, [editor.info.name, ...roots()].join("\0"));
    let guard: Guard<typeof claude> | undefined;
    const tellOfRefusal = createRefusalNews(events.emit);
    const { listener, token } = await listen(remembered, {
      protocol: "mcp",
      maxChannels: maxSessions,
      refuse(request) {
        const refusal = whyRefused(request, guard);
        if (refusal) tellOfRefusal(refusal.status, refusal.reason);
        return refusal;
      },
      loadHandler: () => loadHandler(core),
      onTrouble: (error) =>
        events.emit({ kind: "warning", message: `a connection was turned away: ${messageOf(error)}` }),
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
      onEvent: events.emit,
      onFailure: listener.close,
    });
    remembered.hold?.({ port: listener.port, token });
    return {
      port: listener.port,
      env: toTerminalEnv(claude, addressOf(), host),
      discovery: [discovery],
      removeMore: () => remembered.release?.(),
      close: listener.close,
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

/** Companions of one editor and folder at once whose addresses are remembered. */
const maxRecords = 16;

/** How long after its companion's end a token is used again, in milliseconds. A CLI tries to reconnect for 14 seconds. */
const tokenLife = 60_000;

/** Where CLIs connect, and by what. */
interface Endpoint {
  readonly port: number;
  readonly token: string;
}

type RememberedAddress = Partial<ReturnType<typeof toRemembered>>;

interface AddressRecord extends Endpoint {
  /** The companion's process. */
  readonly pid: number;
  /** In milliseconds since 1970; absent while it runs, and after it was killed. */
  readonly endedAt?: number;
}

/**
 * A CLI reconnects to the same port with the same token, and to nothing else. So a companion takes over both from the
 * one before it, of the same editor in the same folders. Those that run at once have a record each.
 * @param key names the editor and its folders
 */
async function recallAddress(host: Host, key: string): Promise<RememberedAddress> {
  const folder = path.join(stateFolder(host), "addresses");
  const name = hashOf(key).slice(0, 32);
  for (let number = 1; number <= maxRecords; number += 1) {
    const file = path.join(folder, `${name}-${number}.json`);
    const record = readRecord(file);
    const isHeld = record && record.endedAt === undefined && pidIsAlive(record.pid);
    if (!(isHeld && (await portIsServed(record.port)))) return toRemembered(folder, file, record);
  }
  return {};
}

function toRemembered(folder: string, file: string, record: AddressRecord | undefined) {
  const isFresh = record?.endedAt === undefined || Date.now() - record.endedAt < tokenLife;
  let held: AddressRecord | undefined;

  function write(next: AddressRecord): void {
    try {
      ensureOwnedFolder(folder);
      writePrivateFile(file, JSON.stringify(next));
      held = next;
    } catch {
      // The CLIs find the lock file of the next companion, but not by themselves.
    }
  }

  return {
    /** Of the companion before; nobody may listen there now. */
    ...(record && { port: record.port }),
    /** Only where that companion ended a moment ago, or was killed. */
    ...(record && isFresh && { token: record.token }),
    /** This companion listens there. What cannot be written is not remembered. */
    hold: ({ port, token }: Endpoint) => write({ port, token, pid: process.pid }),
    /** The companion has ended. Synchronous, for exit handlers; never throws; may be repeated. */
    release() {
      const current = held && readRecord(file);
      held = undefined;
      // Not one that another companion has taken meanwhile.
      if (current?.pid === process.pid) write({ ...current, endedAt: Date.now() });
    },
  };
}

/** By hand, because no schema is to be loaded at the start. */
function readRecord(file: string): AddressRecord | undefined {
  const { port, token, pid, endedAt } = Object(tryParseJson(readPrivateFile(file) ?? ""));
  const isValid = isPort(port) && Number.isInteger(pid) && typeof token === "string" && token !== "";
  return isValid ? { port, token, pid, ...(Number.isFinite(endedAt) && { endedAt }) } : undefined;
}

const isPort = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65_536;
