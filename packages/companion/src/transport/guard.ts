import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** By what names this machine, or a container on it, reaches a port of ours. */
export const hostsOf = (port: number): readonly string[] =>
  ["127.0.0.1", "localhost", "host.docker.internal"].map((host) => `${host}:${port}`);

/** One agent's key: the token of a request says which agent calls. */
export interface Credential<Agent> {
  readonly agent: Agent;
  readonly token: string;
}

export type Admission<Agent> =
  | { readonly admitted: true; readonly agent: Agent }
  | { readonly admitted: false; readonly status: 401 | 403; readonly message: string };

/** Where a request carries its token. */
export interface TokenScheme {
  /** The header's name in lower case. */
  readonly header: string;
  /** What has to be there, for people. */
  readonly label: string;
  /** Empty when there is none in it. */
  readonly tokenOf: (value: string) => string;
  /** What one without a valid token does: a sentence for people. */
  readonly remedy: string;
}

/** As in RFC 6750. */
export const bearer = (remedy: string): TokenScheme => ({
  header: "authorization",
  label: "Authorization header with a Bearer token",
  tokenOf: (value) => /^Bearer +(\S+)$/i.exec(value)?.[1] ?? "",
  remedy,
});

export type RequestHead = Pick<IncomingMessage, "headers" | "rawHeaders">;

/** Decides on a request by its head alone, before anything of it is read. */
export type Guard<Agent> = (request: RequestHead) => Admission<Agent>;

/**
 * Lets in who holds a token and is not a browser.
 * @param allowed the values of a Host header that are answered
 * @see docs/reference/contract.md#1-transport
 */
export function createGuard<Agent>(
  allowed: readonly string[],
  credentials: readonly Credential<Agent>[],
  { header, label, tokenOf, remedy }: TokenScheme,
): Guard<Agent> {
  const keys = credentials.map(({ agent, token }) => ({ agent, key: Buffer.from(token) }));

  return ({ headers, rawHeaders }) => {
    const host = headers.host?.toLowerCase() ?? "";
    if (!allowed.includes(host) || countOf("host", rawHeaders) !== 1) {
      return refuse(403, `This companion answers to Host ${allowed.join(", ")} only.`);
    }
    if (headers.origin !== undefined) {
      return refuse(403, "This companion does not answer web pages: the request carries an Origin header.");
    }
    const tokens = countOf(header, rawHeaders);
    if (tokens !== 1) {
      const got = tokens === 0 ? "none" : `${tokens} of them`;
      return refuse(401, `One ${label} is needed, got ${got}. ${remedy}`);
    }
    const token = Buffer.from(tokenOf(String(headers[header])));
    let agent: Agent | undefined;
    // Every token is compared, so that the time tells nothing about which one came close. Their length is no secret.
    for (const known of keys) {
      if (known.key.length === token.length && timingSafeEqual(known.key, token)) agent = known.agent;
    }
    if (!agent) return refuse(401, `The token is not one of this companion's. ${remedy}`);
    return { admitted: true, agent };
  };
}

function refuse(status: 401 | 403, message: string): Admission<never> {
  return { admitted: false, status, message };
}

/** How often a head has a field: `headers` holds the first of some. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? "";
    if (field.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}

/** How long the same refusal is not sent again, in milliseconds. */
const silence = 60_000;

/** Different refusals in that time; there are not so many, unless somebody makes them up. */
const maxReasons = 8;

/**
 * Tells of refusals, but not of each: a client without a token must not fill the editor's log either.
 * @param now milliseconds
 */
export function createRefusalNews(
  emit: (event: { kind: "request-refused"; status: number; reason: string }) => void,
  now: () => number = () => performance.now(),
): (status: number, reason: string) => void {
  const sent = new Set<string>();
  let since = now();
  return (status, reason) => {
    if (now() - since > silence) {
      sent.clear();
      since = now();
    }
    if (sent.has(reason) || sent.size >= maxReasons) return;
    sent.add(reason);
    emit({ kind: "request-refused", status, reason });
  };
}
