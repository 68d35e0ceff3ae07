import { isUtf8 } from "node:buffer";
import { messageOf } from "../system/error-message.ts";
import { isObject } from "../system/json.ts";
import type { Channel } from "./channel.ts";
import { parseMessageJson } from "./message-json.ts";

/** A JSON-RPC request. */
export interface RpcRequest {
  readonly kind: "request";
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A JSON-RPC message that has no answer: a notification, or an answer to something we never ask. */
export interface RpcNotice {
  readonly kind: "notice";
  /** Absent in an answer. */
  readonly method?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type RpcMessage = RpcRequest | RpcNotice;

/** JSON-RPC codes, as its specification and MCP's SDKs use them. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Anything about the connection. */
  connection: -32000,
  sessionNotFound: -32001,
} as const;

/** A request that is answered with an error instead of a result. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * One message of JSON-RPC 2.0.
 * @throws RpcError when it is not one.
 */
export function parseMessage(value: unknown): RpcMessage {
  if (!isObject(value) || value.jsonrpc !== "2.0") throw notAMessage();
  const { id, method } = value;
  // Not JSON-RPC's, but what serializers make of no parameters.
  const params = value.params ?? {};
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "notice", params: {} };
  if (typeof method !== "string" || !isObject(params)) throw notAMessage();
  if (id === undefined) return { kind: "notice", method, params };
  if (typeof id !== "string" && !Number.isSafeInteger(id)) throw notAMessage();
  return { kind: "request", id: id as string | number, method, params };
}

function notAMessage(): RpcError {
  return new RpcError(errorCodes.invalidRequest, "The request is not a JSON-RPC 2.0 message");
}

/** A request's answer, whether it succeeds or is answered with an error. */
export async function answerRequest({ id }: RpcRequest, run: () => Promise<object>): Promise<object> {
  try {
    return { jsonrpc: "2.0", id, result: await run() };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
  }
}

/** The other end of a channel, as JSON-RPC sees it. */
export type RpcPeer = ReturnType<typeof servePeer>;

interface PeerCalls {
  /** Its `RpcError` goes to the other end as it is, any other error without its message. */
  readonly call: (request: RpcRequest) => Promise<unknown>;
  readonly onNotice?: (notice: RpcNotice) => void;
}

/**
 * Answers the JSON-RPC requests that come over a channel, each when its result is there: a call may wait for the
 * user while others are answered.
 */
export function servePeer(channel: Channel, { call, onNotice }: PeerCalls) {
  const toText = (message: object) => JSON.stringify({ jsonrpc: "2.0", ...message });
  const send = (message: object) => channel.send(toText(message));
  async function answer(bytes: Buffer): Promise<void> {
    let id: RpcRequest["id"] | null = null;
    try {
      const message = parseMessage(parseJson(bytes));
      if (message.kind === "notice") return onNotice?.(message);
      id = message.id;
      send({ id, result: (await call(message)) ?? null });
    } catch (error) {
      const { code, message } =
        error instanceof RpcError ? error : new RpcError(errorCodes.internal, "Internal error");
      send({ id, error: { code, message } });
    }
  }

  channel.onMessage((bytes) => void answer(bytes));
  return {
    notify: (method: string, params: object) => send({ method, params }),
    /** For a state of which only the newest counts: one that has not been read gives way to the next. */
    notifyLatest: (method: string, params: object) => channel.sendLatest(toText({ method, params })),
  };
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new RpcError(errorCodes.parse, "The message is not valid UTF-8");
  try {
    return parseMessageJson(bytes);
  } catch (error) {
    if (error instanceof RangeError)
      throw new RpcError(errorCodes.invalidRequest, `The message is none: ${messageOf(error)}`);
    throw new RpcError(errorCodes.parse, "The message is not valid JSON");
  }
}
