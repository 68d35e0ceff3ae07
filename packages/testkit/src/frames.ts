/** A message behind its length in bytes, as 4 bytes in little-endian order. */
export function toFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}

/** Cuts bytes into messages, however they come. */
export class FrameParser {
  readonly #take: (text: string) => void;
  #buffer = Buffer.alloc(0);

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 4) {
      const end = 4 + this.#buffer.readUInt32LE();
      if (this.#buffer.length < end) return;
      this.#take(this.#buffer.toString("utf8", 4, end));
      this.#buffer = this.#buffer.subarray(end);
    }
  }
}
