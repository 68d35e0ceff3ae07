import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { httpLimits } from "../../packages/companion/src/transport/loopback.ts";
import { closeServer, listen } from "../../packages/testkit/src/listen.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";

/**
 * A bad connection between a CLI and its companion: an HTTP proxy to a port of this machine, which it names in `Host`, as
 * the companion demands.
 */
export async function startProxy(sandbox: Sandbox, target: number) {
  const streams = new Set<ServerResponse>();
  const waiting: (() => void)[] = [];
  let broken = false;
  let lossy = false;
  let bad = false;
  // The companion's own, whose `Keep-Alive` is passed on.
  const server = createServer({ keepAliveTimeout: httpLimits.keepAliveTimeout }, (incoming, response) => {
    const isStream = incoming.method === "GET";
    if (isStream && broken) waiting.push(() => forward(incoming, response));
    else forward(incoming, response);
  });
  const forward = (incoming: IncomingMessage, response: ServerResponse) => {
    const { url, method, headers } = incoming;
    const options = { host: "127.0.0.1", port: target, path: url, method };
    const outgoing = request(
      { ...options, headers: { ...headers, host: `127.0.0.1:${target}` } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
        if (incoming.method === "GET") streams.add(response);
        let sent = Promise.resolve();
        answer.on("data", (chunk: Buffer) => {
          if (lossy && streams.has(response)) return;
          const pieces = bad && streams.has(response) ? [chunk, chunk] : [chunk];
          sent = sent.then(() => (bad ? trickle(pieces, response) : void response.write(chunk)));
        });
        answer.on("end", () => void sent.then(() => response.end()));
        answer.on("error", () => response.destroy()); // the companion has gone: so has this stream
      },
    );
    outgoing.on("error", () => response.destroy());
    response.on("close", () => {
      streams.delete(response);
      outgoing.destroy();
    });
    incoming.pipe(outgoing);
  };
  const port = await listen(server);
  return sandbox.own({
    port,
    /** Streams that are open through it: without one a CLI has found another way, and nothing is proven. */
    get streams() {
      return streams.size;
    },
    /** From now on what the companion sends on open streams is lost on the way, and nobody notices. */
    lose() {
      lossy = true;
    },
    /** From now on all that the companion sends comes late and byte by byte, and what it tells on a stream twice. */
    worsen() {
      bad = true;
    },
    /** Breaks every open stream; a new one is kept waiting until `repair`. */
    cut() {
      // Without one the CLI has found another way, and nothing would be proven.
      if (streams.size === 0) throw new Error("no stream is open through the proxy");
      broken = true;
      lossy = false;
      for (const stream of streams) stream.destroy();
    },
    repair() {
      broken = false;
      for (const resume of waiting.splice(0)) resume();
    },
    close: () => closeServer(server),
  });
}

/** @param pieces each is one or more whole events of a stream */
async function trickle(pieces: readonly Buffer[], response: ServerResponse): Promise<void> {
  for (const piece of pieces) {
    await delay(50);
    for (const byte of piece) if (!response.destroyed) response.write(Buffer.of(byte));
  }
}
