import { isObject } from "../../system/json.ts";

/** What one program on the socket asks of any other, or of a named one. */
export interface IpcRequest {
  readonly type: "request";
  readonly requestId: string;
  readonly method: string;
  /** Of the method; 0 where none is named. */
  readonly version: number;
  readonly sourceClientId?: string;
  readonly targetClientId?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A message as far as it has to be understood to pass it on. */
export type IpcMessage =
  | IpcRequest
  | { readonly type: "response"; readonly requestId: string; readonly result: unknown }
  | { readonly type: "broadcast"; readonly targetClientIds?: readonly unknown[] }
  | { readonly type: "client-discovery-request"; readonly requestId: string; readonly request: IpcRequest }
  | { readonly type: "client-discovery-response"; readonly requestId: string; readonly canHandle: boolean };

/** How our own commands name themselves when they ask: a companion does not count it as the CLI's question. */
export const ownId = "ide-companion-doctor";

/** The errors that the CLI has words for. */
export type IpcError =
  | "no-client-found"
  | "request-timeout"
  | "client-disconnected"
  | "request-version-mismatch"
  | "no-handler-for-request";

/** @returns undefined for what is none of the messages that are passed on */
export function parseIpcMessage(value: unknown): IpcMessage | undefined {
  if (!isObject(value)) return undefined;
  const { type, requestId } = value;
  if (type === "broadcast") {
    const { targetClientIds } = value;
    return { type, ...(Array.isArray(targetClientIds) && { targetClientIds }) };
  }
  if (typeof requestId !== "string") return undefined;
  switch (type) {
    case "request":
      return parseRequest(value, requestId);
    case "response":
      return { type, requestId, result: value.result };
    case "client-discovery-request": {
      const request = isObject(value.request) ? parseRequest(value.request, requestId) : undefined;
      return request && { type, requestId, request };
    }
    case "client-discovery-response": {
      const { response } = value;
      return { type, requestId, canHandle: isObject(response) && response.canHandle === true };
    }
    default:
      return undefined;
  }
}

function parseRequest(
  { method, version = 0, sourceClientId, targetClientId, params }: Readonly<Record<string, unknown>>,
  requestId: string,
): IpcRequest | undefined {
  if (typeof method !== "string" || typeof version !== "number") return undefined;
  return {
    type: "request",
    requestId,
    method,
    version,
    ...(typeof sourceClientId === "string" && { sourceClientId }),
    ...(typeof targetClientId === "string" && { targetClientId }),
    params: isObject(params) ? params : {},
  };
}

/** @param handledByClientId who answers */
export const success = (
  { requestId, method }: Pick<IpcRequest, "requestId" | "method">,
  handledByClientId: string,
  result: object,
) => ({ type: "response", requestId, resultType: "success", method, handledByClientId, result });

export const failure = ({ requestId }: Pick<IpcRequest, "requestId">, error: IpcError) => ({
  type: "response",
  requestId,
  resultType: "error",
  error,
});

/** @param result undefined where there is none after all */
export const toResponse = (request: IpcRequest, handledByClientId: string, result: object | undefined) =>
  result ? success(request, handledByClientId, result) : failure(request, "no-client-found");
