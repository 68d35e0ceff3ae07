import type { HttpRequest } from "../../../../wire/http.ts";
import { demand, demandNone } from "../../../check.ts";
import type { Check } from "../means.ts";

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** Near misses of a token, as lists of `Authorization` headers. */
function nearly(token: string): readonly (readonly [what: string, values: readonly string[]])[] {
  return [
    ["no token", []],
    ["another token", [`Bearer ${"x".repeat(token.length)}`]],
    ["an empty token", ["Bearer "]],
    ["the beginning of the token", [`Bearer ${token.slice(0, -1)}`]],
    ["the token and more", [`Bearer ${token}x`]],
    ["the token without its scheme", [token]],
    ["the token under Basic", [`Basic ${token}`]],
    ["the token and another one", ["Bearer other", `Bearer ${token}`]],
  ];
}

/** Headers as a flat list, because one of them may be there twice. */
function headersWith(
  headers: Record<string, string>,
  port: number,
  authorizations: readonly string[],
): string[] {
  const others = Object.entries(headers).filter(([name]) => name !== "authorization");
  return [
    ...["host", `127.0.0.1:${port}`],
    ...others.flat(),
    ...authorizations.flatMap((value) => ["authorization", value]),
  ];
}

export const tokenAlways: Check = {
  id: "token-always",
  title: "a request of any method without the token is answered 401",
  requirements: ["S1"],
  lane: "wire",
  async run({ wire, target }) {
    demand(wire.token() !== "", "it needs no token: every program of this machine is let in");
    const session = await wire.connect();
    const problems: string[] = [];
    for (const [what, values] of nearly(wire.token())) {
      const headers = headersWith(session.headers, target.port, values);
      const requests: readonly HttpRequest[] = [
        { method: "POST", headers, body: list },
        { method: "GET", headers },
        { method: "DELETE", headers },
      ];
      for (const request of requests) {
        const { status } = await wire.send(request);
        if (status !== 401) problems.push(`${request.method} with ${what} was answered ${status}`);
      }
    }
    demandNone(problems);
    const { result } = await session.request("tools/list", {});
    demand(result !== undefined, "after that, tools/list with the token was not answered any more");
  },
};

export const helpfulRefusal: Check = {
  id: "helpful-refusal",
  title: "a 401 comes with a sentence for the user",
  requirements: ["S2"],
  lane: "wire",
  async run({ wire }) {
    wire.secret();
    const { status, body } = await wire.send({
      headers: { ...wire.headers(), authorization: "Bearer other" },
      body: list,
    });
    const words = body.trim().split(/\s+/);
    demand(
      status === 401 && words.length >= 4 && !/<html|<!doctype/i.test(body),
      `a sentence was expected, got ${status} ${JSON.stringify(body.slice(0, 100))}`,
    );
  },
};

export const quietRefusal: Check = {
  id: "quiet-refusal",
  title: "a refusal does not quote the token",
  requirements: ["S18"],
  lane: "wire",
  async run({ wire, target }) {
    const token = wire.secret();
    for (const [what, values] of nearly(token)) {
      const headers = headersWith(wire.headers(), target.port, values);
      const { body, headers: answered } = await wire.send({ headers, body: list });
      const quoted = [body, JSON.stringify(answered)].some((text) => text.includes(token.slice(0, 8)));
      demand(!quoted, `what was answered to ${what} holds a part of it`);
    }
  },
};

/** 128 bits in base64. */
const shortest = 22;

export const longToken: Check = {
  id: "long-token",
  title: "a token is long enough not to be guessed",
  requirements: ["S17"],
  lane: "wire",
  async run({ target, wire }) {
    wire.secret();
    for (const [agent, token] of target.tokens) {
      const enough = token.length >= shortest && new Set(token).size >= 8;
      demand(
        enough,
        `the token for ${agent} has ${token.length} characters, ${new Set(token).size} different ones; ${shortest} random ones are 128 bits`,
      );
    }
  },
};

export const newToken: Check = {
  id: "new-token",
  title: "each start has another token",
  requirements: ["S17"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const [first, second] = [await parallel.first(), await parallel.second()].map(({ companion }) => [
      ...companion.target.tokens.values(),
    ]);
    const again = second?.some((token) => first?.includes(token));
    demand(first?.length !== 0 && again !== true, "two companions have the same token");
  },
};

export const refusedByHead: Check = {
  id: "refused-by-head",
  title: "without the token a request is refused before its body",
  requirements: ["S11"],
  lane: "wire",
  async run({ wire, target, note }) {
    wire.secret();
    const raw = await wire.raw();
    const head = ["POST /mcp HTTP/1.1", `Host: 127.0.0.1:${target.port}`, "Content-Type: application/json"];
    await raw.write(
      `${[...head, "Accept: application/json, text/event-stream", "Content-Length: 10000000"].join("\r\n")}\r\n\r\n`,
    );
    const status = await raw.status();
    note(`POST /mcp without a token, with a body of 10 MB announced and none sent: ${status ?? "no answer"}`);
    demand(status === 401, `401 was expected before any of the body was sent, got ${status ?? "no answer"}`);
  },
};

/** The statuses of a refusal; the official companion answers 403. */
const refusals = [400, 401, 403, 421];

export const browserRefused: Check = {
  id: "browser-refused",
  title: "a request from a web page is refused, token or not",
  requirements: ["S3"],
  lane: "wire",
  async run({ wire, target }) {
    const session = await wire.greet();
    const origins = ["http://evil.example", "null", "http://localhost", `http://127.0.0.1:${target.port}`];
    const problems: string[] = [];
    for (const origin of origins) {
      const { status } = await wire.send({ headers: { ...session.headers, origin }, body: list });
      if (!refusals.includes(status)) problems.push(`Origin: ${origin} was answered ${status}`);
    }
    demandNone(problems);
  },
};

export const foreignHost: Check = {
  id: "foreign-host",
  title: "a request for another host is refused",
  requirements: ["S4"],
  lane: "wire",
  async run({ wire, target }) {
    const session = await wire.greet();
    const { port } = target;
    const hosts = [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
    ];
    const problems: string[] = [];
    for (const host of hosts) {
      const { status } = await wire.send({ headers: { ...session.headers, host }, body: list });
      if (!refusals.includes(status)) problems.push(`Host: ${host} was answered ${status}`);
    }
    demandNone(problems);
  },
};

export const ownHosts: Check = {
  id: "own-hosts",
  title: "localhost and host.docker.internal are accepted as hosts",
  requirements: ["S5"],
  lane: "wire",
  async run({ wire, target }) {
    const session = await wire.greet();
    const problems: string[] = [];
    for (const name of ["127.0.0.1", "localhost", "host.docker.internal"]) {
      const host = `${name}:${target.port}`;
      const { status } = await wire.send({ headers: { ...session.headers, host }, body: list });
      if (status !== 200) problems.push(`Host: ${host} was answered ${status}`);
    }
    demandNone(problems);
  },
};

export const noCors: Check = {
  id: "no-cors",
  title: "no answer grants a web page access",
  requirements: ["S6"],
  lane: "wire",
  async run({ wire }) {
    const session = await wire.greet();
    const origin = "http://evil.example";
    const preflight = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    const requests = [
      { method: "OPTIONS", headers: preflight },
      { method: "POST", headers: { ...session.headers, origin }, body: list },
      { method: "POST", headers: session.headers, body: list },
      { method: "GET", path: "/health", headers: { origin } },
    ];
    const problems: string[] = [];
    for (const request of requests) {
      const { headers } = await wire.send(request);
      const allowed = headers["access-control-allow-origin"];
      if (allowed !== undefined)
        problems.push(`${request.method} was answered Access-Control-Allow-Origin: ${allowed}`);
    }
    demandNone(problems);
  },
};
