/**
 * Of every HTTP server of ours, in milliseconds. What one who holds no token may take of our time: a client on this
 * machine sends a request's head at once, and a body of 64 MiB, even through a forwarded port, within minutes. Streams
 * are not meant: they are answers.
 *
 * `keepAliveTimeout`: idle connections are kept longer than a CLI thinks, so that its next request finds one open. A
 * request that is sent just as one is closed is lost; and a relay passes on the companion's `Keep-Alive`, so all have the same.
 */
export const httpLimits = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 120_000,
} as const;

/** The largest request body we read, in bytes. A proposal is always a whole file. */
export const maxBodyBytes = 64 * 1024 * 1024;
