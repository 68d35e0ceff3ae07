import { crc32 } from "node:zlib";

export interface Frame {
  /** All are of one size, with the same kind of pixels. */
  readonly png: Buffer;
  readonly milliseconds: number;
}

/**
 * One picture of many, which goes on without end. A viewer without APNG shows the first. An encoder would be a
 * dependency; the browser has encoded the pixels already.
 * @see https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function toAnimatedPng(frames: readonly [Frame, ...Frame[]]): Buffer {
  const header = Buffer.concat(dataOf(frames[0].png, "IHDR"));
  const size = header.subarray(0, 8);
  let sequence = 0;
  const animated = frames.flatMap(({ png, milliseconds }, index) => [
    // In the corner, for so many thousandths of a second; it takes the place of what was there.
    chunk("fcTL", numbers(sequence++), size, numbers(0, 0, (milliseconds << 16) | 1000), Buffer.alloc(2)),
    ...dataOf(png, "IDAT").map((data) =>
      index === 0 ? chunk("IDAT", data) : chunk("fdAT", numbers(sequence++), data),
    ),
  ]);
  const count = numbers(frames.length, 0);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("acTL", count), ...animated, chunk("IEND")]);
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Of all chunks of a type. */
function dataOf(png: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = signature.length; at < png.length; ) {
    const [start, end] = [at + 8, at + 8 + png.readUInt32BE(at)];
    if (png.toString("latin1", at + 4, start) === type) found.push(png.subarray(start, end));
    at = end + 4;
  }
  return found;
}

function chunk(type: string, ...data: readonly Buffer[]): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), ...data]);
  return Buffer.concat([numbers(named.length - 4), named, numbers(crc32(named))]);
}

/** In four bytes each. */
function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
