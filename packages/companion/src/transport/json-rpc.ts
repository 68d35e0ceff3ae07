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
  const { id, method, params = {} } = value;
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "notice", params: {} };
  if (typeof method !== "string" || !isObject(params)) throw notAMessage();
  if (id === undefined) return { kind: "notice", method, params };
  if (typeof id !== "string" && !Number.isSafeInteger(id)) throw notAMessage();
  return { kind: "request", id: id as string | number, method, params };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notAMessage(): RpcError {
  return new RpcError(errorCodes.invalidRequest, "The request is not a JSON-RPC 2.0 message");
}
