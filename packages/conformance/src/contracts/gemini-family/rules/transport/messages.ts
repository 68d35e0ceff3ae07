import { isJson, parseJson } from "../../../../wire/json-rpc.ts";
import { demand, quote } from "../../../check.ts";
import { resulting } from "../../../fault.ts";
import { malformed } from "../../../http-checks.ts";
import { mcp, observed } from "../../../requirement.ts";
import { unrefused } from "../../faults.ts";
import type { FamilyGroup } from "../means.ts";

const mebibyte = 1024 * 1024;

export const messagesRules: FamilyGroup = {
  T4: {
    MUST: "A request is answered as `application/json` or `text/event-stream`, with the id of the request.",
    sources: mcp("Transports", "These are the two content types; an answer has the id of its request."),
    check: "answers",
    async run({ greet }) {
      const session = await greet();
      const { "content-type": contentType = "" } = (await session.request("tools/list", {})).headers;
      demand(
        /^(application\/json|text\/event-stream)\b/i.test(contentType),
        `an answer must be application/json or text/event-stream, got ${contentType || "no Content-Type"}`,
      );
      if (!contentType.startsWith("application/json")) return; // on a stream, the request matches answers by their ids
      for (const id of ["a string", 9_007_199_254_740_991, 0]) {
        const { body } = await session.post({ jsonrpc: "2.0", id, method: "tools/list" });
        const message = parseJson(body);
        const got = isJson(message) ? message.id : undefined;
        demand(got === id, `the request's id is ${quote(id)}, its answer's ${quote(got)}`);
      }
    },
    fault: {
      down: (message) => (typeof message.id === "string" ? { ...message, id: 1 } : message),
      says: /the request's id is "a string", its answer's 1/,
    },
  },
  T5: {
    MUST: "`ping` is answered with an empty result.",
    sources: mcp("Ping", "The receiver MUST answer promptly with an empty response."),
    check: "ping",
    async run({ greet }) {
      const { result, message } = await (await greet()).request("ping", {});
      demand(result !== undefined && Object.keys(result).length === 0, `got ${quote(message)}`);
    },
    fault: { down: resulting("ping", () => ({ pong: true })), says: /pong/ },
  },
  T6: {
    MUST: "A method that does not exist is answered with the error −32601.",
    sources: mcp("Overview", "Messages MUST follow JSON-RPC 2.0, which has this code for it."),
    check: "unknown-method",
    async run({ greet }) {
      const { error, message } = await (await greet()).request("no/such/method", {});
      demand(error?.code === -32601, `error -32601 was expected, got ${quote(message)}`);
    },
    fault: { down: unrefused(() => true), says: /-32601 was expected/ },
  },
  T7: {
    MUST: "What is not JSON, or not JSON-RPC, is answered with 400 or an error, and does no harm.",
    sources: mcp("Transports", "Input that the server cannot accept MUST get an HTTP error status."),
    check: "malformed",
    ...malformed,
  },
  T21: {
    MUST: "A request of several MiB is accepted.",
    sources: observed("A proposal is always a whole file; many servers stop at 100 kB by default."),
    check: "large-request",
    async run({ greet }) {
      const session = await greet();
      const params = { _meta: { padding: "x".repeat(4 * mebibyte) } };
      const { status } = await session.post({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
      demand(status === 200, `tools/list with 4 MiB was answered ${status}`);
    },
    fault: {
      status: (status, { asked }) => (JSON.stringify(asked).length > 100_000 ? 413 : status),
      says: /was answered 413/,
    },
  },
};
