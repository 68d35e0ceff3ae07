import { demandNone } from "../../../check.ts";
import { listText, statusWith } from "../../../http-checks.ts";
import { guardChecks, problemsOfHeader } from "../../../plain.ts";
import { code, mcp, observed, recommended } from "../../../requirement.ts";
import type { Bench, FamilyGroup } from "../means.ts";

const portOf = ({ target }: Bench) => `:${target.port}`;

const { webPage, foreignHost } = guardChecks<Bench>(statusWith, portOf);

export const guardRules: FamilyGroup = {
  S3: {
    MUST: "A request with an `Origin` header comes from a browser and is refused.",
    sources: [
      mcp("Transports", "Servers MUST validate `Origin`, against DNS rebinding."),
      code("Neither CLI ever sends one, so 403 affects no user."),
    ],
    ...webPage,
    check: "browser-refused",
  },
  S4: {
    MUST: "A request whose `Host` is none of the companion's names is refused.",
    sources: code(
      "The official companion accepts `127.0.0.1`, `localhost` and `host.docker.internal` with its port, and answers 403 to all others.",
    ),
    ...foreignHost,
  },
  S5: {
    SHOULD: "`localhost` and `host.docker.internal` with the companion's port are accepted as `Host`.",
    sources: observed(
      "In a container Gemini CLI connects to `host.docker.internal` alone, Qwen Code when `127.0.0.1` does not answer.",
    ),
    check: "own-hosts",
    async run(bench) {
      const names = ["127.0.0.1", "localhost", "host.docker.internal"];
      const hosts = names.map((name) => `${name}${portOf(bench)}`);
      const isRight = (status: number) => status === 200;
      demandNone(await problemsOfHeader(bench, ["Host", ...hosts], statusWith, isRight));
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
        { method: "POST", headers: { ...session.headers, origin }, body: listText },
        { method: "POST", headers: session.headers, body: listText },
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
