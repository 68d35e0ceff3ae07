/** Bytes of the largest image that is shown. */
export const maxImageBytes = 5 * 1024 * 1024;

/** How files begin that the page's own `<img>` may be given: pixels only. An SVG is a text. */
const signatures = [
  { type: "image/png", marks: { 0: "\x89PNG\r\n\x1a\n" } },
  { type: "image/jpeg", marks: { 0: "\xff\xd8\xff" } },
  { type: "image/gif", marks: { 0: "GIF8" } },
  { type: "image/webp", marks: { 0: "RIFF", 8: "WEBP" } },
  { type: "image/avif", marks: { 4: "ftypavif" } },
  { type: "image/bmp", marks: { 0: "BM", 6: "\0\0\0\0" } },
  { type: "image/x-icon", marks: { 0: "\0\0\x01\0" } },
] as const;

export type ImageType = (typeof signatures)[number]["type"];

/** An image that a page can show; with the limit alone, in bytes, it is too large to be sent. */
export type FileImage = { readonly type: ImageType; readonly base64: string } | { readonly limit: number };

/** The image that a file's bytes are, recognised by how they begin and not by its name. */
export function toFileImage(bytes: Buffer): FileImage | undefined {
  const head = bytes.toString("latin1", 0, 16);
  const found = signatures.find(({ marks }) =>
    Object.entries(marks).every(([at, mark]) => head.startsWith(mark, Number(at))),
  );
  if (!found) return undefined;
  if (bytes.length > maxImageBytes) return { limit: maxImageBytes };
  return { type: found.type, base64: bytes.toString("base64") };
}
