import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long an unused link stays good, in milliseconds. */
const linkLifetime = 10 * 60_000;

/** Links that wait to be used; the oldest gives way. */
const maxLinks = 64;

/** Who may use the page: a one-time key, exchanged for a cookie. */
export interface Access {
  /** A key for one link: 256 random bits, good once and for ten minutes. */
  newKey(): string;
  /** @returns the `Set-Cookie` value that the key is worth; undefined when it is used, expired or unknown. */
  redeem(key: string): string | undefined;
  /** Whether a request's `Cookie` header holds one of ours. */
  admits(cookieHeader: string | undefined): boolean;
}

export interface AccessOptions {
  readonly port: number;
  /** Signs the cookies: the same secret on the same port knows the cookies of an earlier run. */
  readonly secret?: string | Uint8Array;
  /** In milliseconds; by default a clock that nobody sets. */
  readonly now?: () => number;
}

export function createAccess({
  port,
  secret = randomBytes(32),
  now = () => performance.now(),
}: AccessOptions): Access {
  // Browsers send a host's cookies to all of its ports: the name tells ours from another companion's.
  const cookieName = `ide-companion-${port}`;
  const links = new Map<string, number>();
  const sign = (nonce: string) => createHmac("sha256", secret).update(`${port} ${nonce}`).digest("base64url");

  function newKey(): string {
    for (const [key, expires] of links) if (expires <= now() || links.size >= maxLinks) links.delete(key);
    const key = randomBytes(32).toString("base64url");
    links.set(key, now() + linkLifetime);
    return key;
  }

  function redeem(key: string): string | undefined {
    let found: string | undefined;
    for (const link of links.keys()) if (isSame(link, key)) found = link;
    if (found === undefined) return undefined;
    const isFresh = (links.get(found) ?? 0) > now();
    links.delete(found);
    if (!isFresh) return undefined;
    const nonce = randomBytes(32).toString("base64url");
    return `${cookieName}=${nonce}.${sign(nonce)}; HttpOnly; SameSite=Strict; Path=/`;
  }

  function admits(cookieHeader: string | undefined): boolean {
    return cookiesNamed(cookieName, cookieHeader).some((value) => {
      const [nonce = "", signature = ""] = value.split(".");
      return isSame(sign(nonce), signature);
    });
  }

  return { newKey, redeem, admits };
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
