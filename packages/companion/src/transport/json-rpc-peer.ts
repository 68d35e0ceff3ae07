import type { Channel } from "./channel.ts";
import { errorCodes, parseMessage, RpcError, type RpcNotice, type RpcRequest } from "./json-rpc.ts";

/** The other end of a channel, as JSON-RPC sees it. */
export interface RpcPeer {
  notify(method: string, params: object): void;
  /** The same for a state of which only the newest counts: one that has not been read gives way to the next. */
  notifyLatest(method: string, params: object): void;
}

export interface PeerCalls {
  /** Its `RpcError` goes to the other end as it is, any other error without its message. */
  readonly call: (request: RpcRequest) => Promise<unknown>;
  readonly onNotice?: (notice: RpcNotice) => void;
}

/**
 * Answers the JSON-RPC requests that come over a channel, each when its result is there: a call may wait for the
 * user while others are answered.
 */
export function servePeer(channel: Channel, { call, onNotice }: PeerCalls): RpcPeer {
  const toText = (message: object) => JSON.stringify({ jsonrpc: "2.0", ...message });
  const send = (message: object) => channel.send(toText(message));
  channel.onMessage(async (text) => {
    let id: RpcRequest["id"] | null = null;
    try {
      const message = parseMessage(parseJson(text));
      if (message.kind === "notice") return onNotice?.(message);
      id = message.id;
      send({ id, result: (await call(message)) ?? null });
    } catch (error) {
      const { code, message } =
        error instanceof RpcError ? error : new RpcError(errorCodes.internal, "Internal error");
      send({ id, error: { code, message } });
    }
  });
  return {
    notify: (method, params) => send({ method, params }),
    notifyLatest: (method, params) => channel.sendLatest(toText({ method, params })),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError(errorCodes.parse, "The message is not valid JSON");
  }
}
