/** A JSON object; its fields have not been checked. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A message that has no id: something that happened. */
export interface Notification {
  readonly method: string;
  readonly params: Json;
}

/** What a request was answered with. */
export interface RpcAnswer {
  readonly status: number;
  readonly contentType: string;
  /** The JSON-RPC message, as it came. */
  readonly message: Json;
  readonly result: Json | undefined;
  readonly error: { readonly code: unknown; readonly message: unknown } | undefined;
}

/** @returns undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it
  }
}

export function toNotification(value: unknown): Notification | undefined {
  if (!isJson(value) || typeof value.method !== "string" || "id" in value) return undefined;
  return { method: value.method, params: isJson(value.params) ? value.params : {} };
}

export function toAnswer(status: number, contentType: string, message: Json): RpcAnswer {
  const { result, error } = message;
  return {
    status,
    contentType,
    message,
    result: isJson(result) ? result : undefined,
    error: isJson(error) ? { code: error.code, message: error.message } : undefined,
  };
}
