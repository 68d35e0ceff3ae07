import type { ServerResponse } from "node:http";
import { messageOf } from "../system/error-message.ts";
import { PartError } from "../system/later-part.ts";
import { errorCodes } from "./json-rpc.ts";

type Headers = Readonly<Record<string, string>>;

/** A request that is answered with a status and a JSON-RPC error that belongs to no message. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly code: number;
  readonly headers: Headers;

  constructor(status: number, message: string, code: number, headers: Headers) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function httpError(
  status: number,
  message: string,
  { code = errorCodes.connection, headers = {} }: { code?: number; headers?: Headers } = {},
): HttpError {
  return new HttpError(status, message, code, headers);
}

/** Answers with a sentence: CLIs show the one of a 401 to their user as it is. */
export function replyText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  });
  response.end(`${text}\n`);
}

export function replyJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Headers = {},
): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  // A string leaves in one write with its head, a buffer would take two.
  response.end(body);
}

/** Answers a request that has failed, if that is still possible; an error that is no answer is reported as well. */
export function replyFailure(
  response: ServerResponse,
  error: unknown,
  emit: (event: { kind: "warning"; message: string }) => void,
): void {
  const { status, code, message, headers } = toHttpError(error);
  if (!(error instanceof HttpError))
    emit({ kind: "warning", message: `a request failed: ${messageOf(error)}` });
  if (response.headersSent || response.destroyed) return;
  replyJson(response, status, { jsonrpc: "2.0", error: { code, message }, id: null }, headers);
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const code = errorCodes.internal;
  return error instanceof PartError
    ? httpError(503, error.message, { code })
    : httpError(500, "Internal error", { code });
}
