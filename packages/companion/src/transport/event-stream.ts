import type { ServerResponse } from "node:http";
import type { Ends } from "../system/liveness.ts";

const keepAlive = Buffer.from(": keep-alive\n\n");

/**
 * One open stream of server-sent events.
 *
 * Contexts coalesce: for a client that does not read, only the newest is kept. Other frames are all kept.
 * Nothing here ever ends the stream: after a break a CLI stops opening diffs (contract 1).
 */
export class EventStream {
  readonly #response: ServerResponse;
  #waitingContext: Buffer | undefined;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.#response = response;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...headers,
    });
    response.flushHeaders();
    response.on("drain", () => {
      const context = this.#waitingContext;
      this.#waitingContext = undefined;
      if (context) response.write(context);
    });
    // A broken connection is reported by "close"; without a listener the error would end the process.
    response.on("error", () => {});
  }

  /** Whose it is: the other end of its connection. */
  get peer(): Ends {
    return this.#response.req.socket;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Calls back once, when the stream is gone. */
  onClose(listener: () => void): void {
    this.#response.once("close", listener);
  }

  writeContext(frame: Buffer): void {
    if (this.#response.writableNeedDrain) this.#waitingContext = frame;
    else this.#response.write(frame);
  }

  /** @param onFlushed called when it has left this process; never called if it has not. */
  write(frame: Buffer, onFlushed = () => {}): void {
    this.#response.write(frame, (error) => {
      // Node reports no error for what waited in a socket that it has destroyed.
      if (!error && !this.#response.req.socket.destroyed) onFlushed();
    });
  }

  keepAlive(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(keepAlive);
  }

  /** Only for a session that is over. */
  end(): void {
    this.#response.end();
  }
}
