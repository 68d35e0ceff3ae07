import { Transform } from "node:stream";
import { maxMessageBytes } from "./message-limit.ts";

const lineFeed = 0x0a;

/**
 * Passes whole lines on. One that is longer than a message may be is dropped up to its end, and nothing of it is kept.
 * @param onTooLong called once for each such line
 */
export function createLineLimit(onTooLong: () => void, limit = maxMessageBytes): Transform {
  let pieces: Buffer[] = [];
  let length = 0;

  function take(piece: Buffer): void {
    const wasTooLong = length > limit;
    length += piece.length;
    if (length <= limit) return void pieces.push(piece);
    pieces = [];
    if (!wasTooLong) onTooLong();
  }

  /** @returns what is kept of the line, joined only now: a long line comes in a thousand pieces */
  function finish(): Buffer {
    const line = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return line;
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        take(chunk.subarray(start, end + 1));
        this.push(finish());
        start = end + 1;
      }
      take(chunk.subarray(start));
      done();
    },
    flush(done) {
      done(null, finish());
    },
  });
}
