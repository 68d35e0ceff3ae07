import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

export type RequestBody =
  /** Valid UTF-8. */
  | { readonly kind: "text"; readonly bytes: Buffer }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-utf-8" }
  /** The client went away in the middle. */
  | { readonly kind: "aborted" };

/**
 * Reads a request's body.
 * @param limit bytes; of a larger body nothing is kept.
 */
export function readRequestBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limit) return Promise.resolve({ kind: "too-large" });
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.allocUnsafe(declared);
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      if (size + chunk.length > limit) {
        bytes = Buffer.alloc(0);
        resolve({ kind: "too-large" });
        return;
      }
      // Copying as it comes frees each chunk at once: a large proposal is in memory once, not twice.
      if (size + chunk.length > bytes.length) bytes = grown(bytes, size + chunk.length, limit);
      size += chunk.copy(bytes, size);
    });
    request.once("end", () => resolve(toText(bytes.subarray(0, size))));
    request.once("close", () => resolve({ kind: "aborted" }));
  });
}

/** Only for a body that does not declare its length. */
function grown(bytes: Buffer, needed: number, limit: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(needed, 2 * bytes.length)));
  bytes.copy(larger);
  return larger;
}

function toText(bytes: Buffer): RequestBody {
  return isUtf8(bytes) ? { kind: "text", bytes } : { kind: "not-utf-8" };
}
