import { demandNone } from "../../../check.ts";
import { code, mcp, observed, recommended } from "../../../requirement.ts";
import type { FamilyGroup } from "../means.ts";

export const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** The statuses of a refusal; the official companion answers 403. */
const refusals = [400, 401, 403, 421];

export const guardRules: FamilyGroup = {
  S3: {
    MUST: "A request with an `Origin` header comes from a browser and is refused.",
    sources: [
      mcp("Transports", "Servers MUST validate `Origin`, against DNS rebinding."),
      code("Neither CLI ever sends one, so 403 affects no user."),
    ],
    check: "browser-refused",
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
    fault: {
      head: ({ headers: { origin: _, ...headers } }) => headers,
      says: /Origin: http:\/\/evil.example was answered 200/,
    },
  },
  S4: {
    MUST: "A request whose `Host` is none of the companion's names is refused.",
    sources: code(
      "The official companion accepts `127.0.0.1`, `localhost` and `host.docker.internal` with its port, and answers 403 to all others.",
    ),
    check: "foreign-host",
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
    fault: {
      head: ({ headers, own }) => ({ ...headers, host: own }),
      says: /Host: evil.example was answered 200/,
    },
  },
  S5: {
    SHOULD: "`localhost` and `host.docker.internal` with the companion's port are accepted as `Host`.",
    sources: observed(
      "In a container Gemini CLI connects to `host.docker.internal` alone, Qwen Code when `127.0.0.1` does not answer.",
    ),
    check: "own-hosts",
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
    fault: {
      head: ({ headers, own }) => ({ ...headers, host: headers.host === own ? own : "elsewhere" }),
      says: /Host: host.docker.internal:\d+ was answered 403/,
    },
  },
  S6: {
    MUST: "No answer allows a web page anything: there is no `Access-Control-Allow-Origin`.",
    sources: recommended("With it, any page could use the companion of its visitor."),
    check: "no-cors",
    title: "no answer grants a web page access",
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
    fault: {
      replyHeaders: (headers) => ({ ...headers, "access-control-allow-origin": "*" }),
      says: /OPTIONS was answered Access-Control-Allow-Origin: \*/,
    },
  },
};
