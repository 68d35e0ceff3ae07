import { agents as allAgents } from "../../../../agents.ts";
import { isJson } from "../../../../wire/json-rpc.ts";
import { Broken, demand, demandNone } from "../../../check.ts";
import type { Check } from "../means.ts";

/** The versions of MCP with sessions; both CLIs support them. */
const supported = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export const initialize: Check = {
  id: "initialize",
  title: "initialize is answered as MCP requires",
  requirements: ["T1"],
  lane: "wire",
  async run({ wire }) {
    const { protocolVersion, serverInfo, capabilities } = await wire.newSession().initialize();
    demandNone([
      ...(typeof protocolVersion === "string" ? [] : ["the result has no protocolVersion"]),
      ...(isJson(serverInfo) && typeof serverInfo.name === "string" && typeof serverInfo.version === "string"
        ? []
        : ["the result has no serverInfo with name and version"]),
      ...(isJson(capabilities) && isJson(capabilities.tools) ? [] : ["the result has no capability tools"]),
    ]);
  },
};

export const endpoint: Check = {
  id: "endpoint",
  title: "MCP is served at /mcp",
  requirements: ["T2"],
  lane: "wire",
  async run({ wire }) {
    const session = wire.newSession();
    const { status } = await session.post({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    demand(status !== 404 && status !== 405, `POST /mcp was answered ${status}`);
  },
};

export const initialized: Check = {
  id: "initialized",
  title: "a notification is answered 202, with no body",
  requirements: ["T8"],
  lane: "wire",
  async run({ wire }) {
    const session = wire.newSession();
    await session.initialize();
    for (const method of ["notifications/initialized", "notifications/cancelled"]) {
      const params = method === "notifications/cancelled" ? { params: { requestId: 4711 } } : {};
      const { status, body } = await session.post({ jsonrpc: "2.0", method, ...params });
      demand(status === 202, `${method} must be answered 202, got ${status}`);
      demand(body === "", `${method} must be answered with no body, got ${JSON.stringify(body)}`);
    }
  },
};

export const stream: Check = {
  id: "stream",
  title: "GET opens a stream of events",
  requirements: ["T9"],
  lane: "wire",
  async run({ wire, agents }) {
    for (const agent of agents) await (await wire.greet({ agent })).openStream();
  },
};

export const protocolVersion: Check = {
  id: "protocol-version",
  title: "the companion agrees on each CLI's protocol version",
  requirements: ["T10"],
  lane: "wire",
  async run({ wire, agents }) {
    for (const agent of agents) {
      const session = wire.newSession({ agent });
      await session.initialize();
      demand(
        supported.includes(session.version),
        `${session} asks for ${allAgents[agent].protocolVersion} and supports ${supported.join(", ")}, but got ${JSON.stringify(session.version)}`,
      );
    }
  },
};

export const unknownVersion: Check = {
  id: "unknown-version",
  title: "an unknown version is answered with one that is served",
  requirements: ["T11"],
  lane: "wire",
  async run({ wire }) {
    const session = wire.newSession({ protocolVersion: "1999-01-01" });
    await session.initialize();
    demand(
      /^20\d\d-\d\d-\d\d$/.test(session.version),
      `1999-01-01 was asked for; a version of MCP must be answered, got ${JSON.stringify(session.version)}`,
    );
  },
};

export const versionHeader: Check = {
  id: "version-header",
  title: "an unknown version in the header is answered 400",
  requirements: ["T12"],
  lane: "wire",
  async run({ wire }) {
    const session = await wire.greet();
    session.version = "1999-01-01";
    const { status } = await session.post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    demand(status === 400, `MCP-Protocol-Version: 1999-01-01 must be answered 400, got ${status}`);
  },
};

export const laterProtocol: Check = {
  id: "later-protocol",
  title: "a client of MCP 2026-07-28 is served or refused clearly",
  requirements: ["T25"],
  lane: "wire",
  async run({ wire, note }) {
    const name = "io.modelcontextprotocol";
    const meta = {
      [`${name}/protocolVersion`]: "2026-07-28",
      [`${name}/clientInfo`]: { name: "ide-companion-conformance", version: "1" },
      [`${name}/clientCapabilities`]: {},
    };
    const session = wire.newSession();
    session.version = "2026-07-28";
    const headers = { ...session.headers, "mcp-method": "server/discover" };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "server/discover",
      params: { _meta: meta },
    });
    const { status } = await wire.send({ headers, body });
    demand(status === 200 || (status >= 400 && status < 500), `server/discover was answered ${status}`);
    note(status === 200 ? "It is served." : "It is refused, and the client will begin with initialize.");
  },
};

export const freePort: Check = {
  id: "free-port",
  title: "two companions at once listen on two ports",
  requirements: ["T3"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { companion: first } = await parallel.first();
    const { companion: second } = await parallel.second().catch((error: Error) => {
      throw new Broken(`while a companion was running, a second one did not start: ${error.message}`);
    });
    demand(first.target.port !== second.target.port, `both say that they listen on ${first.target.port}`);
  },
};
