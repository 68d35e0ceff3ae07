import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { compress, type Encoded } from "./assets.ts";

/** An error that a request deserves; its message is a sentence for the user. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Answers = ReturnType<typeof createAnswers>;

/** Every answer of the frontend, with the headers that keep other pages out of it. */
export function createAnswers(port: number) {
  const send = (
    response: ServerResponse,
    status: number,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ) => {
    response.writeHead(status, { ...securityHeaders(port), ...headers }).end(body);
  };
  const html = (response: ServerResponse, page: (nonce: string) => string, status = 200) => {
    const nonce = randomBytes(16).toString("base64url");
    const headers = { ...securityHeaders(port, nonce), "Content-Type": "text/html; charset=utf-8" };
    send(response, status, headers, page(nonce));
  };
  return {
    /** @param page makes the HTML for the nonce that its styles must carry. */
    html,
    /** @param isGzip whether the browser takes that; a large answer is compressed then */
    json: async (
      response: ServerResponse,
      value: unknown,
      { status = 200, isGzip = false } = {},
    ): Promise<void> => {
      const body = await compress(Buffer.from(JSON.stringify(value)), isGzip);
      const headers = { "Content-Type": "application/json; charset=utf-8", ...encodingHeaders(body) };
      send(response, status, headers, body.bytes);
    },
    /** A page that says what happened and what to do. */
    explanation: (response: ServerResponse, status: number, text: Explanation) =>
      html(response, (nonce) => explanationPage(text, nonce), status),
    bytes: (response: ServerResponse, body: Encoded, type: string, { immutable }: { immutable: boolean }) => {
      const caching = immutable ? { "Cache-Control": "private, max-age=31536000, immutable" } : {};
      send(response, 200, { "Content-Type": type, ...caching, ...encodingHeaders(body) }, body.bytes);
    },
    redirect: (response: ServerResponse, location: string, cookie: string | undefined) =>
      send(response, 303, { Location: location, ...(cookie ? { "Set-Cookie": cookie } : {}) }),
  };
}

function encodingHeaders({ isGzip }: Encoded): Record<string, string> {
  return { Vary: "Accept-Encoding", ...(isGzip && { "Content-Encoding": "gzip" }) };
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

/** What is shown instead of the page. */
export interface Explanation {
  readonly title: string;
  /** `code` stands between backticks. */
  readonly paragraphs: readonly string[];
  /** Ask for the same page again, once, automatically. */
  readonly retry?: boolean;
}

/** A small page, without script or anything to load. */
function explanationPage({ title, paragraphs, retry = false }: Explanation, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${retry ? '<meta http-equiv="refresh" content="0;url=/">\n' : ""}<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<p class="name">ide-companion</p>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${toInlineHtml(text)}</p>`).join("\n")}
</main>
</body>
</html>
`;
}

const style = `
body { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif }
.name { opacity: .75 }
code { font-family: ui-monospace, monospace }
`;

/** `code` between backticks, everything else as text. */
function toInlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
