import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { messageOf } from "../system/error-message.ts";
import { errorCodes, parseMessage, RpcError, type RpcMessage } from "./json-rpc.ts";
import { parseMessageJson } from "./message-json.ts";
import { maxMessageBytes, tooLong } from "./message-limit.ts";
import { httpError } from "./reply.ts";

/** Messages in one batch; MCP allowed batches up to 2025-03-26. */
const maxBatch = 100;

/**
 * The JSON that a client posts.
 * @throws HttpError when its head or its body are not those of JSON-RPC over Streamable HTTP
 */
export async function readPostedJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "none";
  if (type !== "application/json") {
    throw httpError(415, `The Content-Type must be application/json, got ${type}`);
  }
  if (!accepts(request, "application/json") || !accepts(request, "text/event-stream")) {
    throw httpError(
      406,
      `The Accept header must include application/json and text/event-stream, got ${request.headers.accept}`,
    );
  }
  const body = await readRequestBody(request);
  switch (body.kind) {
    case "text":
      return parseJson(body.bytes);
    case "too-large":
      throw httpError(413, `The request is ${tooLong}`);
    case "not-utf-8":
      throw httpError(400, "The request is not valid UTF-8", { code: errorCodes.parse });
    case "aborted":
      throw httpError(400, "The request ended in the middle");
  }
}

/**
 * The messages of a posted body: one, or a batch.
 * @throws HttpError when it is none
 */
export function toMessages(body: unknown): RpcMessage[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length === 0 || messages.length > maxBatch) {
    const message = `A batch holds 1 to ${maxBatch} messages, got ${messages.length}`;
    throw httpError(400, message, { code: errorCodes.invalidRequest });
  }
  return messages.map(toMessage);
}

/** @throws HttpError when it is no message */
export function toMessage(value: unknown): RpcMessage {
  try {
    return parseMessage(value);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw httpError(400, error.message, { code: error.code });
  }
}

/** Whether a client takes an answer of this media type. */
export function accepts(request: IncomingMessage, type: string): boolean {
  const accept = request.headers.accept ?? "*/*";
  return accept.includes(type) || accept.includes("*/*");
}

function parseJson(bytes: Buffer): unknown {
  try {
    return parseMessageJson(bytes);
  } catch (error) {
    const why = messageOf(error);
    if (error instanceof RangeError) throw httpError(413, `The request is no message: ${why}`);
    throw httpError(400, `The request is not valid JSON: ${why}`, { code: errorCodes.parse });
  }
}

type RequestBody =
  /** Valid UTF-8. */
  | { readonly kind: "text"; readonly bytes: Buffer }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-utf-8" }
  /** The client went away in the middle. */
  | { readonly kind: "aborted" };

/** Reads a request's body. Of a larger one than is taken nothing is kept. */
export function readRequestBody(request: IncomingMessage): Promise<RequestBody> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > maxMessageBytes) return Promise.resolve({ kind: "too-large" });
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.allocUnsafe(declared);
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      if (size + chunk.length > maxMessageBytes) {
        bytes = Buffer.alloc(0);
        resolve({ kind: "too-large" });
        return;
      }
      // Copying as it comes frees each chunk at once: a large proposal is in memory once, not twice.
      if (size + chunk.length > bytes.length) bytes = grown(bytes, size + chunk.length);
      size += chunk.copy(bytes, size);
    });
    request.once("end", () => resolve(toText(bytes.subarray(0, size))));
    request.once("close", () => resolve({ kind: "aborted" }));
  });
}

/** Only for a body that does not declare its length. */
function grown(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(maxMessageBytes, Math.max(needed, 2 * bytes.length)));
  bytes.copy(larger);
  return larger;
}

function toText(bytes: Buffer): RequestBody {
  return isUtf8(bytes) ? { kind: "text", bytes } : { kind: "not-utf-8" };
}
