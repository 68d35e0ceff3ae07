import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import path from "node:path";
import { messageOf } from "../../system/error-message.ts";
import { stateFolder } from "../../system/host.ts";
import { httpLimits, listenOnLoopback, whyUnreachable } from "../../transport/loopback.ts";
import type { Address, Agent } from "../agent.ts";
import { toTerminalEnv } from "../discovery/announced.ts";
import { startDiscovery } from "../discovery/discovery.ts";
import type { AgentFamily, Core } from "../family.ts";
import { geminiFamilyAgents } from "./agents.ts";
import type { HealthReport } from "./contract/health.ts";
import { createEndpoint, type EndpointOptions } from "./endpoint.ts";
import { LeftDiffs } from "./left-diffs.ts";
import { ownClients } from "./own-clients.ts";
import { SessionRegistry } from "./session-registry.ts";

/**
 * Gemini CLI and what has grown from it: MCP over HTTP on one port, a token and discovery files for each agent.
 * @see docs/reference/contract.md
 */
export const geminiFamily: AgentFamily = {
  agents: geminiFamilyAgents,
  servesOwnClients: true,

  async serve(wanted, core, host) {
    const { editor, events, roots } = core;
    const own = geminiFamilyAgents.filter((agent) => wanted.includes(agent));
    const served = [...own, ownClients];
    const credentials = served.map((agent) => ({ agent, token: randomBytes(32).toString("base64url") }));
    const warn = (message: string) => events.emit({ kind: "warning", message });
    const leftDiffs = new LeftDiffs(path.join(stateFolder(host), "open-diffs"));
    const outwaiting = new Set(
      own.filter(({ quirks }) => quirks.outwaitsCompanion).map((one) => one.displayName),
    );
    const stopRecording = events.subscribe(({ kind }) => {
      if (kind !== "diff-opened" && kind !== "diff-settled") return;
      leftDiffs.record(core.reviews.open.filter(({ agent }) => outwaiting.has(agent)));
    });
    const server = await startServer(core, credentials, (agent) => leftDiffs.findLeft(agent, roots()));
    const addressOf = (agent: Agent): Address => ({
      port: server.port,
      token: credentials.find((credential) => credential.agent === agent)?.token ?? "",
      roots: roots(),
      ide: editor.info,
      pid: editor.pid,
      serverPid: process.pid,
    });
    const writeFiles = (agents: readonly Agent[], onFailure = async () => {}) =>
      startDiscovery({
        agents,
        filesOf: (agent) => agent.discoveryFiles(addressOf(agent), host),
        // Our own files need no second warning.
        splitRoots: () => (agents.some(({ isOwn }) => !isOwn) ? roots() : []),
        host,
        onEvent: events.emit,
        onFailure,
      });
    const discovery = await writeFiles(own, server.close);
    // The agents are served without it.
    const ownDiscovery = await writeFiles([ownClients]).catch((error) => warn(messageOf(error)));
    return {
      ...(own.length > 0 && { port: server.port }),
      get env() {
        return Object.assign({}, ...served.map((agent) => toTerminalEnv(agent, addressOf(agent), host)));
      },
      discovery: [discovery, ...(ownDiscovery ? [ownDiscovery] : [])],
      async close() {
        await server.close();
        stopRecording();
      },
    };
  },
};

/**
 * Starts the MCP server on a free port of 127.0.0.1.
 * @throws Error when no port can be opened.
 */
export async function startServer(
  core: Core,
  credentials: EndpointOptions["credentials"],
  findLeft: (agent: string) => ReadonlySet<string>,
) {
  const http = createServer(httpLimits);
  const warn = (message: string) => core.events.emit({ kind: "warning", message });
  const onTrouble = (error: Error) => warn(`a connection was turned away: ${error.message}`);
  const port = await listenOnLoopback(http, { onTrouble });
  const sessions = new SessionRegistry(core, findLeft);
  const report = () => toHealthReport(sessions, core);
  void whyUnreachable(port).then((reason) => reason !== undefined && warn(reason));
  http.on("request", createEndpoint(port, { core, credentials, sessions, report }));
  return {
    port,
    async close() {
      http.close();
      await sessions.close();
      http.closeAllConnections();
    },
  };
}

function toHealthReport(sessions: SessionRegistry, core: Core): HealthReport {
  return {
    status: "ok",
    version: core.version,
    pid: process.pid,
    editor: core.editor.info,
    roots: [...core.roots()],
    paused: core.sharing.isPaused,
    // Also those that are connected by another protocol: they are streams themselves.
    sessions: core.sessions.all.map(({ id, agent, client: { pid }, connectedAt }) => ({
      id,
      agent,
      ...(pid !== undefined && { pid }),
      connectedAt,
      streaming: sessions.all.find((session) => session.id === id)?.isStreaming ?? true,
    })),
    requests: [...core.sessions.requests].map(([agent, requestedAt]) => ({ agent, requestedAt })),
    diffs: core.reviews.open.map(({ filePath, agent, openedAt }) => ({ filePath, agent, openedAt })),
  };
}
