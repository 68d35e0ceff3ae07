import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { compress, type Encoded, type Encoding } from "./assets.ts";
import { type Explanation, explanationPage } from "./explanation-page.ts";

/** An error that a request deserves; its message is a sentence for the user. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Answers {
  /** @param encoding what the browser takes; a large answer is compressed */
  json(response: ServerResponse, value: unknown, options?: JsonOptions): Promise<void>;
  /** @param page makes the HTML for the nonce that its styles must carry. */
  html(response: ServerResponse, page: (nonce: string) => string, status?: number): void;
  /** A page that says what happened and what to do. */
  explanation(response: ServerResponse, status: number, text: Explanation): void;
  bytes(response: ServerResponse, body: Encoded, type: string, options: { immutable: boolean }): void;
  redirect(response: ServerResponse, location: string, cookie: string | undefined): void;
}

export interface JsonOptions {
  readonly status?: number;
  readonly encoding?: Encoding | undefined;
}

/** Every answer of the frontend, with the headers that keep other pages out of it. */
export function createAnswers(port: number): Answers {
  const send = (
    response: ServerResponse,
    status: number,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ) => {
    response.writeHead(status, { ...securityHeaders(port), ...headers }).end(body);
  };
  const html: Answers["html"] = (response, page, status = 200) => {
    const nonce = randomBytes(16).toString("base64url");
    const headers = { ...securityHeaders(port, nonce), "Content-Type": "text/html; charset=utf-8" };
    send(response, status, headers, page(nonce));
  };
  return {
    html,
    json: async (response, value, { status = 200, encoding } = {}) => {
      const body = await compress(Buffer.from(JSON.stringify(value)), encoding);
      const headers = { "Content-Type": "application/json; charset=utf-8", ...encodingHeaders(body) };
      send(response, status, headers, body.bytes);
    },
    explanation: (response, status, text) => html(response, (nonce) => explanationPage(text, nonce), status),
    bytes: (response, body, type, { immutable }) => {
      const caching = immutable ? { "Cache-Control": "private, max-age=31536000, immutable" } : {};
      send(response, 200, { "Content-Type": type, ...caching, ...encodingHeaders(body) }, body.bytes);
    },
    redirect: (response, location, cookie) =>
      send(response, 303, { Location: location, ...(cookie ? { "Set-Cookie": cookie } : {}) }),
  };
}

function encodingHeaders({ encoding }: Encoded): Record<string, string> {
  return { Vary: "Accept-Encoding", ...(encoding ? { "Content-Encoding": encoding } : {}) };
}

function securityHeaders(port: number, nonce?: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ""}`,
    "img-src 'self' data:",
    // Not every browser counts a WebSocket of the same host and port as 'self'.
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}
