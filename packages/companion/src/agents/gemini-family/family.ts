import { randomBytes } from "node:crypto";
import type { Address, Agent } from "../agent.ts";
import { startDiscovery } from "../discovery/discovery.ts";
import type { AgentFamily } from "../family.ts";
import { geminiFamilyAgents } from "./agents.ts";
import { startServer } from "./server.ts";

/**
 * Gemini CLI and what has grown from it: MCP over HTTP on one port, a token and discovery files for each agent.
 * @see docs/reference/contract.md
 */
export const geminiFamily: AgentFamily = {
  agents: geminiFamilyAgents,

  async serve(wanted, core, host) {
    const { editor, events, roots, sharing } = core;
    const credentials = geminiFamilyAgents
      .filter((agent) => wanted.includes(agent))
      .map((agent) => ({ agent, token: randomBytes(32).toString("base64url") }));
    const own = credentials.map(({ agent }) => agent);
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
    const discovery = await startDiscovery({
      agents: own,
      filesOf: (agent) => agent.discoveryFiles(addressOf(agent), host),
      splitRoots: roots,
      host,
      onWarning: (message) => events.emit({ kind: "warning", message }),
      onWritten: (files) => events.emit({ kind: "discovery-changed", files }),
    }).catch(async (error) => {
      await server.close();
      throw error;
    });
    return {
      port: server.port,
      get env() {
        return Object.assign({}, ...own.map((agent) => agent.terminalEnv(addressOf(agent), host)));
      },
      get files() {
        return discovery.files;
      },
      rewriteFiles: () => discovery.rewrite(),
      removeFiles: () => discovery.remove(),
      close: () => server.close(),
    };
  },
};
