import { randomBytes } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import type { Duplex } from "node:stream";

const opcodes = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;

/** A WebSocket after its upgrade, as RFC 6455 describes it: texts, without compression. */
export class FrameSocket {
  /** The code with which the other side has closed it; 1006 when it has just gone. */
  readonly closed: Promise<number>;
  readonly #socket: Duplex;
  /** A client masks what it sends. */
  readonly #masks: boolean;
  readonly #onText: (text: string) => void;
  #received: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #code = 1006;

  /** @param head what came with the upgrade */
  constructor(
    socket: Duplex,
    { masks, head, onText }: { masks: boolean; head: Buffer; onText: (text: string) => void },
  ) {
    this.#socket = socket;
    this.#masks = masks;
    this.#onText = onText;
    socket.on("error", () => socket.destroy()); // the other side is gone, which "close" reports
    this.closed = new Promise((resolve) => socket.once("close", () => resolve(this.#code)));
    socket.once("end", () => socket.end()); // an HTTP server leaves its half of the socket open
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    this.#take(head);
  }

  sendText(text: string): void {
    this.#send(opcodes.text, Buffer.from(text));
  }

  /** Closes it as one who says goodbye. */
  close(code = 1000): void {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#send(opcodes.close, payload);
    this.#socket.end();
  }

  /** As a killed process does. */
  cut(): void {
    this.#socket.destroy();
  }

  #send(opcode: number, payload: Buffer): void {
    if (this.#socket.writable) this.#socket.write(toFrame(opcode, payload, this.#masks));
  }

  #take(bytes: Buffer): void {
    const received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    let at = 0;
    for (let frame = readFrame(received, at); frame; frame = readFrame(received, at)) {
      at = frame.end;
      this.#hear(frame);
    }
    this.#received = received.subarray(at);
  }

  #hear({ opcode, isLast, payload }: Frame) {
    if (opcode === opcodes.ping) return this.#send(opcodes.pong, payload);
    if (opcode === opcodes.close) {
      this.#code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
      this.#send(opcodes.close, payload);
      this.#socket.end();
      return;
    }
    if (opcode !== opcodes.text && opcode !== opcodes.continuation) return;
    this.#parts.push(payload);
    if (!isLast) return;
    const text = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#onText(text);
  }
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/** @returns undefined while it is not all there */
function readFrame(bytes: Buffer, at: number): Frame | undefined {
  if (bytes.length < at + 2) return undefined;
  const [first, second] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
  const short = second & 0x7f;
  const width = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const start = at + 2 + width + (isMasked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length =
    width === 0 ? short : width === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  const end = start + length;
  if (bytes.length < end) return undefined;
  const payload = Buffer.from(bytes.subarray(start, end));
  if (isMasked) mask(payload, bytes.subarray(start - 4, start));
  return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, payload, end };
}

function toFrame(opcode: number, payload: Buffer, masks: boolean): Buffer {
  const width = payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + width);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8((masks ? 0x80 : 0) | (width === 0 ? payload.length : width === 2 ? 126 : 127), 1);
  if (width === 2) head.writeUInt16BE(payload.length, 2);
  if (width === 8) head.writeBigUInt64BE(BigInt(payload.length), 2);
  if (!masks) return Buffer.concat([head, payload]);
  const key = randomBytes(4);
  const masked = Buffer.from(payload);
  mask(masked, key);
  return Buffer.concat([head, key, masked]);
}

function mask(bytes: Buffer, key: Buffer): void {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (key[at % 4] ?? 0);
}

/** What an upgrade was answered with. */
export interface Upgrade {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** When it was accepted. */
  readonly socket?: FrameSocket;
}

export interface UpgradeRequest {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly within: number;
  readonly onText: (text: string) => void;
}

/**
 * Asks for a WebSocket on `/`.
 * @throws Error when nobody answers in time
 */
export function upgrade({ port, headers, within, onText }: UpgradeRequest): Promise<Upgrade> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: "127.0.0.1",
      port,
      path: "/",
      timeout: within,
      agent: false,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": randomBytes(16).toString("base64"),
        ...headers,
      },
    });
    asked.once("upgrade", ({ statusCode = 0, headers: answered }, stream, head) => {
      stream.setTimeout(0);
      const socket = new FrameSocket(stream, { masks: true, head, onText });
      resolve({ status: statusCode, headers: answered, socket });
    });
    asked.once("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      asked.destroy();
    });
    asked.once("timeout", () => asked.destroy(new Error(`the upgrade was not answered within ${within} ms`)));
    asked.on("error", reject);
    asked.end();
  });
}
