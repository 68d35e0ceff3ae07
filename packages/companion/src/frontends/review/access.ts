import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Ends, isStranger, userOfClient } from "../../system/liveness.ts";
import { ownUid } from "../../system/private-file.ts";
import type { Refusal } from "../../transport/websocket.ts";

/** How long an unused link stays good, in milliseconds. */
const linkLifetime = 10 * 60_000;

/** Links that wait to be used; the oldest gives way. */
const maxLinks = 64;

export interface AccessOptions {
  readonly port: number;
  /** Signs the cookies: the same secret on the same port knows the cookies of an earlier run. */
  readonly secret?: string | Uint8Array;
  /** In milliseconds; by default a clock that nobody sets. */
  readonly now?: () => number;
}

export type Access = ReturnType<typeof createAccess>;

/** Who may use the page: a one-time key, exchanged for a cookie. */
export function createAccess({
  port,
  secret = randomBytes(32),
  now = () => performance.now(),
}: AccessOptions) {
  // Browsers send a host's cookies to all of its ports: the name tells ours from another companion's.
  const cookieName = `ide-companion-${port}`;
  const links = new Map<string, number>();
  const sign = (nonce: string) => createHmac("sha256", secret).update(`${port} ${nonce}`).digest("base64url");

  /** A key for one link: 256 random bits, good once and for ten minutes. */
  function newKey(): string {
    for (const [key, expires] of links) if (expires <= now() || links.size >= maxLinks) links.delete(key);
    const key = randomBytes(32).toString("base64url");
    links.set(key, now() + linkLifetime);
    return key;
  }

  /** @returns the `Set-Cookie` value that the key is worth; undefined when it is used, expired or unknown. */
  function redeem(key: string): string | undefined {
    let found: string | undefined;
    for (const link of links.keys()) if (isSame(link, key)) found = link;
    if (found === undefined) return undefined;
    const isFresh = (links.get(found) ?? 0) > now();
    links.delete(found);
    if (!isFresh) return undefined;
    return `${newCookie()}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** A cookie as a request's `Cookie` header has it. */
  function newCookie(): string {
    const nonce = randomBytes(32).toString("base64url");
    return `${cookieName}=${nonce}.${sign(nonce)}`;
  }

  /** Whether a request's `Cookie` header holds one of ours. */
  function admits(cookieHeader: string | undefined): boolean {
    return cookiesNamed(cookieName, cookieHeader).some((value) => {
      const [nonce = "", signature = ""] = value.split(".");
      return isSame(sign(nonce), signature);
    });
  }

  return { newKey, redeem, newCookie, admits };
}

/** Takes the same time wherever the two differ. */
function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function cookiesNamed(name: string, header = ""): string[] {
  const pairs = header.split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** Turns connections of other users of this machine away, whatever keys they have come by. */
export type PeerGuard = (socket: Ends & object) => Refusal | undefined;

/** Where nothing can be learnt of whose a connection is, the keys alone decide. */
export function createPeerGuard(own = ownUid(), userOf: typeof userOfClient = userOfClient): PeerGuard {
  const known = new WeakMap<object, { readonly refusal: Refusal | undefined }>();
  return (socket) => {
    const judged = known.get(socket);
    if (judged) return judged.refusal;
    const peer = own === null ? undefined : userOf(socket);
    const reason = `This page is for user ${own}, who has started it; this connection is user ${peer}'s.`;
    const refusal = isStranger(peer, own) ? { status: 403, reason } : undefined;
    known.set(socket, { refusal });
    return refusal;
  };
}

interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** `document`: a page the user goes to; `data`: what our page fetches; `socket`: its WebSocket. */
  readonly purpose: "document" | "data" | "socket";
}

/**
 * Turns away what does not come from our own page: another host name (DNS rebinding), another origin,
 * another site's fetch.
 * @returns undefined when the request may go on.
 */
export function refuseForeign(
  { method, headers, purpose }: GuardedRequest,
  port: number,
): Refusal | undefined {
  const host = headers.host ?? "";
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return { status: 403, reason: `Host must be 127.0.0.1:${port} or localhost:${port}, got "${host}".` };
  }
  const { origin } = headers;
  const isReading = method === "GET" || method === "HEAD";
  const needsOrigin = purpose === "socket" || !isReading;
  if (origin === undefined ? needsOrigin : origin !== `http://${host}`) {
    return { status: 403, reason: `Origin must be http://${host}, got ${origin ? `"${origin}"` : "none"}.` };
  }
  // Another port of this machine is "same-site", and may be anybody's page.
  const site = headers["sec-fetch-site"];
  if (purpose !== "document" && site !== undefined && site !== "same-origin" && site !== "none") {
    return { status: 403, reason: `Only this companion's own page may ask for this, not a ${site} one.` };
  }
  return undefined;
}
