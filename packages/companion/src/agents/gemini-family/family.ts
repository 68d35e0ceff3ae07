import { randomBytes } from "node:crypto";
import { messageOf } from "../../system/error-message.ts";
import type { Address, Agent } from "../agent.ts";
import { startDiscovery } from "../discovery/discovery.ts";
import type { AgentFamily } from "../family.ts";
import { geminiFamilyAgents } from "./agents.ts";
import { ownClients } from "./own-clients.ts";
import { startServer } from "./server.ts";

/**
 * Gemini CLI and what has grown from it: MCP over HTTP on one port, a token and discovery files for each agent.
 * @see docs/reference/contract.md
 */
export const geminiFamily: AgentFamily = {
  agents: geminiFamilyAgents,
  servesOwnClients: true,

  async serve(wanted, core, host) {
    const { editor, events, roots, sharing } = core;
    const own = geminiFamilyAgents.filter((agent) => wanted.includes(agent));
    const served = [...own, ownClients];
    const credentials = served.map((agent) => ({ agent, token: randomBytes(32).toString("base64url") }));
    const warn = (message: string) => events.emit({ kind: "warning", message });
    const server = await startServer({
      version: core.version,
      credentials,
      feed: core.context,
      book: core.reviews,
      connections: core.sessions,
      editor,
      sharing,
      onEvent: events.emit,
      subscribe: events.subscribe,
      describe: () => ({ editor: editor.info, roots: [...roots()], paused: sharing.isPaused }),
    });
    const addressOf = (agent: Agent): Address => ({
      port: server.port,
      token: credentials.find((credential) => credential.agent === agent)?.token ?? "",
      roots: roots(),
      ide: editor.info,
      pid: editor.pid,
      serverPid: process.pid,
    });
    const writeFiles = (agents: readonly Agent[]) =>
      startDiscovery({
        agents,
        filesOf: (agent) => agent.discoveryFiles(addressOf(agent), host),
        // Our own files need no second warning.
        splitRoots: () => (agents.some(({ isOwn }) => !isOwn) ? roots() : []),
        host,
        onWarning: warn,
        onWritten: (files) => events.emit({ kind: "discovery-changed", files }),
      });
    const discovery = await writeFiles(own).catch(async (error) => {
      await server.close();
      throw error;
    });
    // The agents are served without it.
    const ownDiscovery = await writeFiles([ownClients]).catch((error) => warn(messageOf(error)));
    return {
      ...(own.length > 0 && { port: server.port }),
      get env() {
        return Object.assign({}, ...served.map((agent) => agent.terminalEnv(addressOf(agent), host)));
      },
      get files() {
        return [...discovery.files, ...(ownDiscovery?.files ?? [])];
      },
      rewriteFiles() {
        discovery.rewrite();
        ownDiscovery?.rewrite();
      },
      removeFiles() {
        discovery.remove();
        ownDiscovery?.remove();
      },
      close: () => server.close(),
    };
  },
};
