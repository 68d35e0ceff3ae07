import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AgentName } from "../../../agents.ts";

export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** Which requests the example accepts. */
export const guardRules = {
  /** The address that it listens on. */
  host: "127.0.0.1",
  /** Chosen by the system. */
  port: 0,
  newToken: () => randomBytes(32).toString("base64url"),
  admit,
  agentOf,
  /** Whether the body is read before the header is checked. */
  bodyFirst: false,
  /** Bytes. */
  maxBody: 64 * 1024 * 1024,
  /** Whether a request waits for the one before. */
  oneAtATime: false,
  /** Sent with every answer. */
  headers: {} as Record<string, string>,
  unauthorized:
    "This is not the token of this editor's companion; it may have been restarted. Run /ide enable to reconnect.",
};

export type GuardRules = typeof guardRules;

/** Checks the header of a request. @param tokens of each agent */
function admit(
  request: IncomingMessage,
  tokens: Tokens,
  port: number,
  rules: GuardRules,
): Refusal | undefined {
  const { headers } = request;
  const hosts = ["127.0.0.1", "localhost", "host.docker.internal"].map((name) => `${name}:${port}`);
  if (!hosts.includes(headers.host?.toLowerCase() ?? ""))
    return { status: 403, text: "This Host is not the companion's." };
  if (headers.origin !== undefined) return { status: 403, text: "Requests of web pages are refused." };
  if (rules.agentOf(request, tokens)) return undefined;
  return { status: 401, text: rules.unauthorized };
}

export type Tokens = ReadonlyMap<AgentName, string>;

/** The agent whose token a request carries. */
function agentOf({ headersDistinct }: IncomingMessage, tokens: Tokens): AgentName | undefined {
  const [header = "", second] = headersDistinct.authorization ?? [];
  const token = second === undefined ? /^Bearer +(\S+)$/.exec(header)?.[1] : undefined;
  return [...tokens].find(([, known]) => known === token)?.[0];
}
