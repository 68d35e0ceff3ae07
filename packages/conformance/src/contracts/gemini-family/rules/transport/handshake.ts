import { agents as allAgents } from "../../../../agents.ts";
import { isJson } from "../../../../wire/json-rpc.ts";
import { Broken, byParallel, demand, demandNone, quote } from "../../../check.ts";
import { resulting } from "../../../fault.ts";
import { isText } from "../../../fields.ts";
import { initialized, statusOfList } from "../../../http-checks.ts";
import { problemsOfIntroduction } from "../../../plain.ts";
import { mcp, observed, specification } from "../../../requirement.ts";
import type { FamilyGroup } from "../means.ts";

/** The versions of MCP with sessions; both CLIs support them. */
const supported = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export const handshakeRules: FamilyGroup = {
  T1: {
    MUST: "A local HTTP server speaks MCP: `initialize` is answered with `protocolVersion`, `serverInfo` and the capability `tools`.",
    sources: specification("I.1", "The companion MUST run a local HTTP server that implements MCP."),
    check: "initialize",
    async run({ newCli }) {
      demandNone(problemsOfIntroduction(await newCli().initialize(), isText));
    },
    fault: {
      down: resulting("initialize", () => ({ capabilities: {} })),
      says: /capabilities is \{\}/,
    },
  },
  T2: {
    MUST: "Its endpoint is `/mcp`.",
    sources: [
      specification("I.1", "One endpoint, such as `/mcp`, should serve all of MCP."),
      observed("Both CLIs post to `/mcp` of the port in the discovery file."),
    ],
    check: "endpoint",
    async run({ newCli }) {
      const session = newCli();
      const { status } = await session.post({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
      demand(status !== 404 && status !== 405, `POST /mcp was answered ${status}`);
    },
    fault: { status: () => 404, says: /POST \/mcp was answered 404/ },
  },
  T3: {
    MUST: "The system chooses the port: two companions that run at once have two ports.",
    sources: specification(
      "I.1",
      "The server MUST listen on a dynamically assigned port, by listening on 0.",
    ),
    check: "free-port",
    ...byParallel,
    async run({ parallel }) {
      const { companion: first } = await parallel.first();
      const { companion: second } = await parallel.second().catch((error: Error) => {
        throw new Broken(`while a companion was running, a second one did not start: ${error.message}`);
      });
      demand(first.target.port !== second.target.port, `both say that they listen on ${first.target.port}`);
    },
    fault: { port: 47_311, says: /EADDRINUSE/ },
  },
  T8: {
    MUST: "`notifications/initialized`, like every notification, is answered 202 with no body.",
    sources: [
      mcp("Transports", "A notification that is accepted MUST be answered 202 with no body."),
      observed("After any other status neither CLI opens its stream, so it receives nothing."),
    ],
    ...initialized,
  },
  T9: {
    MUST: "GET `/mcp` in a session opens a stream of server-sent events.",
    sources: observed("Both CLIs receive context and outcomes on this stream only."),
    check: "stream",
    async run({ greet, agents }) {
      for (const agent of agents) await (await greet({ agent })).openStream();
    },
    fault: {
      status: (status, { method }) => (method === "GET" ? 405 : status),
      says: /GET \/mcp was answered 405/,
    },
  },
  T10: {
    MUST: "The companion agrees on the protocol version that the CLI asks for, or on another that the CLI supports: Gemini CLI asks for 2025-06-18, Qwen Code for 2025-11-25.",
    sources: [
      mcp("Lifecycle", "A version that the server supports MUST be answered with the same version."),
      observed("What each of the CLIs asks for."),
    ],
    check: "protocol-version",
    async run({ newCli, agents }) {
      for (const agent of agents) {
        const session = newCli({ agent });
        await session.initialize();
        demand(
          supported.includes(session.version),
          `${session} asks for ${allAgents[agent].protocolVersion} and supports ${supported.join(", ")}, but got ${quote(session.version)}`,
        );
      }
    },
    fault: {
      down: resulting("initialize", () => ({ protocolVersion: "2024-10-07" })),
      says: /Gemini CLI asks for 2025-06-18/,
    },
  },
  T11: {
    MUST: "An unknown version is answered with one that the companion serves.",
    sources: mcp("Lifecycle", "Otherwise the server MUST answer with another version that it supports."),
    check: "unknown-version",
    async run({ newCli }) {
      const session = newCli({ protocolVersion: "1999-01-01" });
      await session.initialize();
      demand(
        /^20\d\d-\d\d-\d\d$/.test(session.version),
        `1999-01-01 was asked for; a version of MCP must be answered, got ${quote(session.version)}`,
      );
    },
    fault: {
      down: resulting("initialize", (_, { params }) => ({
        protocolVersion: isJson(params) && params.protocolVersion,
      })),
      says: /got "1999-01-01"/,
    },
  },
  T12: {
    MUST: "A header `MCP-Protocol-Version` with an unknown version is answered 400.",
    sources: mcp("Transports", "An invalid or unsupported version in the header MUST be answered 400."),
    check: "version-header",
    async run({ greet }) {
      const session = await greet();
      session.version = "1999-01-01";
      const status = await statusOfList(session);
      demand(status === 400, `MCP-Protocol-Version: 1999-01-01 must be answered 400, got ${status}`);
    },
    fault: {
      head: ({ headers: { "mcp-protocol-version": _, ...headers } }) => headers,
      says: /must be answered 400, got 200/,
    },
  },
  T25: {
    MAY: "A client of MCP 2026-07-28, which knows no sessions, is served; or it is refused with an error that it understands.",
    sources: mcp("2026-07-28", "An unsupported version is answered 400 with a JSON-RPC error."),
    check: "later-protocol",
    async run({ newCli }) {
      const name = "io.modelcontextprotocol";
      const meta = {
        [`${name}/protocolVersion`]: "2026-07-28",
        [`${name}/clientInfo`]: { name: "ide-companion-conformance", version: "1" },
        [`${name}/clientCapabilities`]: {},
      };
      const session = newCli();
      session.version = "2026-07-28";
      const headers = { ...session.headers, "mcp-method": "server/discover" };
      const discover = { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: meta } };
      const body = JSON.stringify(discover);
      const { status } = await session.send({ headers, body });
      demand(status === 200 || (status >= 400 && status < 500), `server/discover was answered ${status}`);
    },
    fault: {
      status: (status, { asked }) => (asked.method === "server/discover" ? 500 : status),
      says: /server\/discover was answered 500/,
    },
  },
};
