import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { codeOf } from "../system/error-message.ts";
import { createLoopbackFetch, StrangersPort } from "../transport/loopback.ts";

/** How long a companion may take to end a session, in milliseconds. */
const patience = 1000;

/** A stream that breaks is opened again for as long as its companion can be reached; all in milliseconds. */
const reconnectionOptions = {
  initialReconnectionDelay: 250,
  maxReconnectionDelay: 5000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

/** The connection was lost, with everything that waited for it. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** The wire to a companion. */
export interface Wire {
  readonly transport: StreamableHTTPClientTransport;
  /** Ends the session, so that the companion does not wait for its stream. Never throws. */
  sayGoodbye(): Promise<void>;
  close(): void;
}

/** Where a companion is reached, by a name of the machine that it accepts. */
export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** @param onLost called when companion or session are gone for good, perhaps several times */
export function openHttp({ host, port, token }: HttpAddress, onLost: (error: ConnectionLost) => void): Wire {
  const fetch = createLoopbackFetch();
  const transport = new StreamableHTTPClientTransport(new URL(`http://${host}:${port}/mcp`), {
    requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    fetch: (url, init) => watchStream(fetch(url, init), init, onLost),
    reconnectionOptions,
  });
  return {
    transport,
    async sayGoodbye() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, patience).unref());
      const said = transport.terminateSession().catch(() => {
        // It has gone first, or is of a kind that does not end sessions.
      });
      await Promise.race([said, late]);
    },
    close: () => fetch.close(),
  };
}

/** Tells when the stream cannot be opened again: the companion, or our session with it, is gone for good. */
async function watchStream(
  response: Promise<Response>,
  init: RequestInit | undefined,
  onLost: (error: ConnectionLost) => void,
): Promise<Response> {
  if (init?.method !== "GET") return response;
  try {
    const { status } = await response;
    if (status === 401 || status === 404) onLost(new ConnectionLost("the companion has ended this session"));
  } catch (error) {
    const isRefused = codeOf(error) === "ECONNREFUSED";
    if (isRefused || error instanceof StrangersPort) {
      onLost(new ConnectionLost("the companion is gone", { cause: error }));
    }
  }
  return response;
}
