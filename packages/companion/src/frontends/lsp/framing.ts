/** Bytes: of a header, which has two lines at most, and of a message, in which a whole file may be written by escapes. */
export const framingLimits = { header: 4096, message: 256 * 1024 * 1024 } as const;

/** What comes is no message as LSP frames it; where the next one begins nobody can tell. */
export class FramingError extends Error {
  override readonly name = "FramingError";
}

const headerEnd = Buffer.from("\r\n\r\n");

/**
 * Follows a stream of messages, however it is cut, and keeps nothing of them. The library that reads them waits for ever
 * behind a header that it does not understand.
 * @returns takes the next bytes; throws FramingError, which quotes none of them
 */
export function createFramingCheck(): (bytes: Buffer) => void {
  let header = Buffer.alloc(0);
  let left = 0;

  return (bytes) => {
    let rest = bytes;
    while (rest.length > 0) {
      if (left > 0) {
        const body = Math.min(left, rest.length);
        left -= body;
        rest = rest.subarray(body);
        continue;
      }
      const known = header.length;
      header = Buffer.concat([header, rest.subarray(0, framingLimits.header + 1 - known)]);
      const end = header.indexOf(headerEnd);
      if (end < 0 && header.length > framingLimits.header) {
        throw new FramingError(`a header has more than ${framingLimits.header} bytes`);
      }
      if (end < 0) return;
      left = parseLength(header.toString("latin1", 0, end));
      rest = rest.subarray(end + headerEnd.length - known);
      header = Buffer.alloc(0);
    }
  };
}

/** Pure. @returns the bytes of the message that follows */
function parseLength(header: string): number {
  const lengths: string[] = [];
  for (const line of header.split("\r\n")) {
    const [, name = "", value = ""] = /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === "") throw new FramingError("a line of a header is no name and value");
    if (name.toLowerCase() === "content-length") lengths.push(value);
    const [, charset = "utf-8"] = /charset="?([^";\s]+)/i.exec(value) ?? [];
    if (name.toLowerCase() === "content-type" && !/^utf-?8$/i.test(charset)) {
      throw new FramingError("a message is not in UTF-8");
    }
  }
  const [length = ""] = lengths;
  if (lengths.length !== 1) throw new FramingError(`a header has ${lengths.length} lengths instead of one`);
  if (!/^\d{1,15}$/.test(length)) throw new FramingError("a length is no number of bytes");
  if (Number(length) > framingLimits.message) {
    throw new FramingError(`a message has ${length} bytes, at most ${framingLimits.message} are taken`);
  }
  return Number(length);
}
