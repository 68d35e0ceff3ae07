import { isJson, parseJson } from "../../../../wire/json-rpc.ts";
import { demand, demandNone } from "../../../check.ts";
import type { Check } from "../means.ts";

export const answers: Check = {
  id: "answers",
  title: "an answer has a content type of MCP and its request's id",
  requirements: ["T4"],
  lane: "wire",
  async run({ wire }) {
    const session = await wire.greet();
    const { contentType } = await session.request("tools/list", {});
    demand(
      /^(application\/json|text\/event-stream)\b/i.test(contentType),
      `an answer must be application/json or text/event-stream, got ${contentType || "no Content-Type"}`,
    );
    if (!contentType.startsWith("application/json")) return; // on a stream, the request matches answers by their ids
    for (const id of ["a string", 9_007_199_254_740_991, 0]) {
      const { body } = await session.post({ jsonrpc: "2.0", id, method: "tools/list" });
      const message = parseJson(body);
      const got = isJson(message) ? message.id : undefined;
      demand(got === id, `the request's id is ${JSON.stringify(id)}, its answer's ${JSON.stringify(got)}`);
    }
  },
};

export const ping: Check = {
  id: "ping",
  title: "ping is answered with an empty result",
  requirements: ["T5"],
  lane: "wire",
  async run({ wire }) {
    const { result, message } = await (await wire.greet()).request("ping", {});
    demand(result !== undefined && Object.keys(result).length === 0, `got ${JSON.stringify(message)}`);
  },
};

export const unknownMethod: Check = {
  id: "unknown-method",
  title: "a method that does not exist is answered with -32601",
  requirements: ["T6"],
  lane: "wire",
  async run({ wire }) {
    const { error, message } = await (await wire.greet()).request("no/such/method", {});
    demand(error?.code === -32601, `error -32601 was expected, got ${JSON.stringify(message)}`);
  },
};

const garbage: readonly [string, string | Buffer][] = [
  ["half a JSON", '{"jsonrpc":"2.0","id":1,'],
  ["nothing", ""],
  ["a JSON string", '"ping"'],
  ["an object that is no message", '{"hello":1}'],
  ["JSON-RPC 1.0", '{"id":1,"method":"ping","params":[]}'],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
];

export const malformed: Check = {
  id: "malformed",
  title: "a body that is not JSON-RPC is refused and does no harm",
  requirements: ["T7"],
  lane: "wire",
  async run({ wire }) {
    const session = await wire.greet();
    const problems: string[] = [];
    for (const [what, body] of garbage) {
      const reply = await wire.send({ headers: session.headers, body });
      const message = parseJson(reply.body);
      const refused = reply.status >= 400 && reply.status < 500;
      const isError = reply.status < 300 && isJson(message) && isJson(message.error);
      if (!refused && !isError)
        problems.push(`${what} was answered ${reply.status} ${reply.body.slice(0, 80)}`);
    }
    demandNone(problems);
    const { result } = await session.request("tools/list", {});
    demand(result !== undefined, "after that, tools/list was not answered any more");
  },
};

const mebibyte = 1024 * 1024;

export const largeRequest: Check = {
  id: "large-request",
  title: "a request of 4 MiB is accepted",
  requirements: ["T21"],
  lane: "wire",
  async run({ wire }) {
    const session = await wire.greet();
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: { _meta: { padding: "x".repeat(4 * mebibyte) } },
    });
    // Not by the session, which would log four megabytes as evidence.
    const { status } = await wire.send({
      headers: { ...session.headers, "content-length": body.length },
      body,
    });
    demand(status === 200, `tools/list with ${body.length} bytes was answered ${status}`);
  },
};
