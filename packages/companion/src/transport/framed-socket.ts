import type { Socket } from "node:net";
import type { Channel } from "./channel.ts";

/** A channel of small messages, none of which makes an earlier one void. */
export interface FramedChannel extends Omit<Channel, "sendLatest" | "onMessage"> {
  onMessage(listener: (message: string) => void): void;
}

export interface FramedOptions {
  /** Bytes of the longest message taken, asked again for each. A longer one closes the channel before it is read. */
  readonly maxMessage: () => number;
  /** Bytes that may wait for an end that does not read; more of them close the channel. */
  readonly maxUnread: number;
}

/** How long an end that does not read may take what waits for it when the channel closes, in milliseconds. */
const farewell = 300;

/** Bytes of the length in front of each message. */
const headerBytes = 4;

/**
 * A connection as a channel: in front of each message, which is UTF-8, stands its length in bytes, as 4 bytes in
 * little-endian order that do not count themselves. An empty message closes the channel.
 */
export function toFramedChannel(socket: Socket, { maxMessage, maxUnread }: FramedOptions): FramedChannel {
  let listener = (_: string) => {};
  let chunks: Buffer[] = [];
  let buffered = 0;
  /** Of the message that is being read; undefined before its header is complete. */
  let length: number | undefined;

  /** @returns undefined until there are so many */
  function read(bytes: number): Buffer | undefined {
    if (buffered < bytes) return undefined;
    const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks = [all.subarray(bytes)];
    buffered = all.length - bytes;
    return all.subarray(0, bytes);
  }

  function take(chunk: Buffer): void {
    chunks.push(chunk);
    buffered += chunk.length;
    while (!socket.destroyed) {
      length ??= read(headerBytes)?.readUInt32LE();
      if (length === undefined) return;
      if (length === 0 || length > maxMessage()) return void socket.destroy();
      const message = read(length);
      if (message === undefined) return;
      length = undefined;
      listener(message.toString("utf8"));
    }
  }

  socket.on("data", take);
  socket.on("error", () => socket.destroy()); // it closes, which is reported
  return {
    send(message) {
      if (!socket.writable) return;
      socket.write(toFrame(message));
      if (socket.writableLength > maxUnread) socket.destroy();
    },
    onMessage(next) {
      listener = next;
    },
    onClose(onClose) {
      socket.once("close", onClose);
    },
    close() {
      socket.destroySoon();
      const timer = setTimeout(() => socket.destroy(), farewell).unref();
      socket.once("close", () => clearTimeout(timer));
    },
  };
}

function toFrame(message: string): Buffer {
  const length = Buffer.byteLength(message);
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame.writeUInt32LE(length);
  frame.write(message, headerBytes);
  return frame;
}
