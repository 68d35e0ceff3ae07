import type { IncomingHttpHeaders } from "node:http";
import type { Refusal } from "../../transport/refused-upgrade.ts";

export interface GuardedRequest {
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
