import type { Channel } from "./channel.ts";
import { errorCodes, parseMessage, RpcError, type RpcRequest } from "./json-rpc.ts";

/** The other end of a channel, as JSON-RPC sees it. */
export interface RpcPeer {
  notify(method: string, params: object): void;
}

/**
 * Answers the JSON-RPC requests that come over a channel, each when its result is there: a call may wait for the
 * user while others are answered.
 * @param call its `RpcError` goes to the other end as it is, any other error without its message
 */
export function servePeer(channel: Channel, call: (request: RpcRequest) => Promise<unknown>): RpcPeer {
  const send = (message: object) => channel.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  channel.onMessage(async (text) => {
    let id: RpcRequest["id"] | null = null;
    try {
      const message = parseMessage(parseJson(text));
      if (message.kind === "notice") return;
      id = message.id;
      send({ id, result: (await call(message)) ?? null });
    } catch (error) {
      const { code, message } =
        error instanceof RpcError ? error : new RpcError(errorCodes.internal, "Internal error");
      send({ id, error: { code, message } });
    }
  });
  return { notify: (method, params) => send({ method, params }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError(errorCodes.parse, "The message is not valid JSON");
  }
}
