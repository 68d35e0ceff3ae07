import { demandNone } from "../../../check.ts";
import { code, mcp, observed, recommended } from "../../../requirement.ts";
import type { Bench, FamilyGroup } from "../means.ts";

export const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** The official companion refuses with 403. */
const isRefusal = (status: number) => [400, 401, 403, 421].includes(status);

/** Sends requests that differ by one header. @returns what is wrong with the answers */
async function problemsWith(
  { greet }: Bench,
  header: string,
  values: readonly string[],
  isRight: (status: number) => boolean,
): Promise<readonly string[]> {
  const session = await greet();
  const problems: string[] = [];
  for (const value of values) {
    const headers = { ...session.headers, [header.toLowerCase()]: value };
    const { status } = await session.send({ headers, body: list });
    if (!isRight(status)) problems.push(`${header}: ${value} was answered ${status}`);
  }
  return problems;
}

export const guardRules: FamilyGroup = {
  S3: {
    MUST: "A request with an `Origin` header comes from a browser and is refused.",
    sources: [
      mcp("Transports", "Servers MUST validate `Origin`, against DNS rebinding."),
      code("Neither CLI ever sends one, so 403 affects no user."),
    ],
    check: "browser-refused",
    async run(bench) {
      const own = `http://127.0.0.1:${bench.target.port}`;
      const origins = ["http://evil.example", "null", "http://localhost", own];
      demandNone(await problemsWith(bench, "Origin", origins, isRefusal));
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
    async run(bench) {
      const { port } = bench.target;
      const hosts = [
        "evil.example",
        `evil.example:${port}`,
        `127.0.0.1.evil.example:${port}`,
        `localhost.evil.example:${port}`,
      ];
      demandNone(await problemsWith(bench, "Host", hosts, isRefusal));
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
    async run(bench) {
      const names = ["127.0.0.1", "localhost", "host.docker.internal"];
      const hosts = names.map((name) => `${name}:${bench.target.port}`);
      demandNone(await problemsWith(bench, "Host", hosts, (status) => status === 200));
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
    async run({ greet }) {
      const session = await greet();
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
        const { headers } = await session.send(request);
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
