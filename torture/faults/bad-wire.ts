import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { WireClient } from "../../packages/companion/src/testing/wire-client.ts";
import type { ServingCompanion } from "./companion-process.ts";
import type { Fixture } from "./fault.ts";

/** What a bad connection does to the bytes that pass. */
export interface Defects {
  /** Each byte is sent alone. */
  readonly splits?: boolean;
  /** Milliseconds of delay for every piece. */
  readonly delay?: number;
  /** After how many bytes of a stream the connection breaks, once. */
  readonly cutAfter?: number;
  /** Every request is sent again on a separate connection whose answer is dropped. */
  readonly repeats?: boolean;
}

/** A CLI behind a bad connection. */
export class FarClient extends WireClient {
  readonly #host: string;

  constructor(proxyPort: number, { token, port }: WireClient) {
    super(proxyPort, token);
    this.#host = `127.0.0.1:${port}`;
  }

  override get headers(): Record<string, string> {
    // As a proxy rewrites it.
    return { ...super.headers, host: this.#host };
  }
}

/** Puts a bad connection between a CLI and a companion; it passes bytes, not requests. */
export async function startBadWire(
  fixture: Fixture,
  companion: ServingCompanion,
  defects: Defects,
): Promise<FarClient> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = open(connect(companion.port, "127.0.0.1"));
    open(near);
    pass(near, far, defects);
    if (defects.repeats) repeat(near, companion.port, open);
    if (defects.cutAfter === undefined || cuts > 0) return pass(far, near, defects);
    // Only streams are cut: the answer to a POST is short.
    let left = defects.cutAfter;
    let isStream = false;
    far.on("data", (bytes: Buffer) => {
      isStream ||= bytes.includes("text/event-stream");
      if (!isStream || cuts > 0) return near.write(bytes);
      near.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left > 0) return;
      cuts += 1;
      near.end();
      far.destroy();
    });
    far.on("end", () => near.end());
  });
  const open = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  fixture.undo(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return new FarClient((server.address() as AddressInfo).port, companion.client());
}

function pass(from: Socket, to: Socket, { splits = false, delay = 0 }: Defects): void {
  let queue = Promise.resolve();
  from.on("data", (bytes: Buffer) => {
    queue = queue.then(async () => {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      const pieces = splits ? Array.from(bytes, (byte) => Buffer.of(byte)) : [bytes];
      for (const piece of pieces) {
        if (to.destroyed) return;
        await new Promise<void>((resolve) => to.write(piece, () => resolve()));
      }
    });
  });
  from.on("end", () => void queue.then(() => to.end()));
  from.on("close", () => void queue.then(() => to.destroy()));
}

function repeat(near: Socket, port: number, open: (socket: Socket) => Socket): void {
  const twin = open(connect(port, "127.0.0.1"));
  twin.resume();
  near.on("data", (bytes: Buffer) => {
    // An unread stream would take the events.
    if (!bytes.subarray(0, 4).equals(Buffer.from("GET "))) twin.write(bytes);
  });
  near.on("close", () => twin.end());
}
