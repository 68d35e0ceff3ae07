import { type HttpRequest, postHead } from "../../../../wire/http.ts";
import { byParallel, demand, demandNone, quote } from "../../../check.ts";
import { listText } from "../../../http-checks.ts";
import type { HttpCli } from "../../../http-cli.ts";
import { observed, recommended, specification } from "../../../requirement.ts";
import { fields } from "../../faults.ts";
import type { FamilyGroup } from "../means.ts";

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
function headersWith({ headers }: HttpCli, authorizations: readonly string[]): string[] {
  const others = Object.entries(headers).filter(([name]) => name !== "authorization");
  return [...others.flat(), ...authorizations.flatMap((value) => ["authorization", value])];
}

/** 128 bits in base64. */
const shortest = 22;

export const tokensRules: FamilyGroup = {
  S1: {
    MUST: "A request of any method without the token, whole and under `Authorization: Bearer`, is answered 401.",
    sources: specification(
      "I.2",
      "The server MUST validate the token on every request and reject the others.",
    ),
    check: "token-always",
    async run({ token, connect }) {
      demand(token() !== "", "it needs no token: every program of this machine is let in");
      const session = await connect();
      const problems: string[] = [];
      for (const [what, values] of nearly(token())) {
        const headers = headersWith(session, values);
        const requests: readonly HttpRequest[] = [
          { method: "POST", headers, body: listText },
          { method: "GET", headers },
          { method: "DELETE", headers },
        ];
        for (const request of requests) {
          const { status } = await session.send(request);
          if (status !== 401) problems.push(`${request.method} with ${what} was answered ${status}`);
        }
      }
      demandNone(problems);
      await session.list();
    },
    fault: {
      // Takes the session id for proof enough.
      head: ({ method, headers, token }) =>
        method === "GET" && headers["mcp-session-id"] !== undefined
          ? { ...headers, authorization: token }
          : headers,
      says: /GET with no token was answered 200/,
    },
  },
  S2: {
    SHOULD: "The body of a 401 is a sentence that helps the user.",
    sources: observed("Qwen Code shows it to its user as it is."),
    check: "helpful-refusal",
    async run({ secret, newCli }) {
      secret();
      const session = newCli();
      const { status, body } = await session.send({
        headers: { ...session.headers, authorization: "Bearer other" },
        body: listText,
      });
      const words = body.trim().split(/\s+/);
      demand(
        status === 401 && words.length >= 4 && !/<html|<!doctype/i.test(body),
        `a sentence was expected, got ${status} ${quote(body.slice(0, 100))}`,
      );
    },
    fault: {
      body: () => "Unauthorized",
      says: /a sentence was expected, got 401 "Unauthorized"/,
    },
  },
  S11: {
    SHOULD: "Without the token a request is refused by its header, before its body is read.",
    sources: recommended("A client without the token must not fill the memory or reach the parser."),
    check: "refused-by-head",
    async run({ secret, raw, newCli }) {
      secret();
      const connection = await raw();
      const { authorization: _, ...headers } = newCli().headers;
      await connection.write(postHead("/mcp", { ...headers, "content-length": 10_000_000 }));
      const status = await connection.status();
      demand(
        status === 401,
        `401 was expected before any of the body was sent, got ${status ?? "no answer"}`,
      );
    },
    fault: {
      // The proxy reads the body first.
      says: /got no answer/,
    },
  },
  S17: {
    MUST: "The token is secret and unique: long enough not to be guessed, and different at every start.",
    sources: specification("I.2", "The companion MUST generate a unique secret token."),
    check: "long-token",
    async run({ target, secret }) {
      secret();
      for (const [agent, token] of target.tokens) {
        const enough = token.length >= shortest && new Set(token).size >= 8;
        demand(
          enough,
          `the token for ${agent} has ${token.length} characters, ${new Set(token).size} different ones; ${shortest} random ones are 128 bits`,
        );
      }
    },
    fault: { lock: fields({ authToken: "abcdefgh12" }), says: /has 10 characters/ },
    more: [
      {
        check: "new-token",
        title: "each start has another token",
        ...byParallel,
        async run({ parallel }) {
          const [first, second] = [await parallel.first(), await parallel.second()].map(({ companion }) => [
            ...companion.target.tokens.values(),
          ]);
          const again = second?.some((token) => first?.includes(token));
          demand(first?.length !== 0 && again !== true, "two companions have the same token");
        },
        fault: {
          lock: fields({ authToken: "always-the-same-token-of-forty-characters" }),
          head: ({ headers, token }) => ({ ...headers, authorization: token }),
          says: /the same token/,
        },
      },
    ],
  },
  S18: {
    SHOULD: "No refusal quotes the token, not even in part.",
    sources: recommended("Answers end up in logs and on screens."),
    check: "quiet-refusal",
    async run({ secret, newCli }) {
      const [token, session] = [secret(), newCli()];
      for (const [what, values] of nearly(token)) {
        const headers = headersWith(session, values);
        const { body, headers: answered } = await session.send({ headers, body: listText });
        const quoted = [body, JSON.stringify(answered)].some((text) => text.includes(token.slice(0, 8)));
        demand(!quoted, `what was answered to ${what} holds a part of it`);
      }
    },
    fault: {
      body: (_, { headers }) => `${headers.authorization} is not the token`,
      says: /what was answered to the beginning of the token holds a part of it/,
    },
  },
};
