/**
 * What one who holds no token may take of our time, in milliseconds: whoever is on this machine sends a request's head
 * at once, and a body of 64 MiB, even through a forwarded port, within minutes. Streams are not meant: they are answers.
 */
export const httpLimits = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000,
} as const;
