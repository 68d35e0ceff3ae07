import { readFile } from "node:fs/promises";
import nodePath from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Where the build of the page lies next to the library: the same from its sources and from their build. */
export const defaultAssets = fileURLToPath(new URL("../../../dist/review", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A file of the built page. */
export type Asset = NonNullable<Awaited<ReturnType<typeof readAsset>>>;

/**
 * One file of the built page, with its MIME type; it is immutable when its name holds a digest of the content.
 * @param urlPath `/name.js`; what is not made of plain names is not there.
 */
export async function readAsset(folder: string, urlPath: string) {
  if (!/^(?:\/[\w-][\w.-]*)+$/.test(urlPath)) return undefined;
  try {
    const bytes = await readFile(nodePath.join(folder, ...urlPath.split("/")));
    const type = types[nodePath.extname(urlPath)] ?? "application/octet-stream";
    // The digest as esbuild writes it; a word of eight small letters is none.
    return { bytes, type, immutable: /-[A-Z0-9]{8}\.\w+(?:\.map)?$/.test(urlPath) };
  } catch {
    return undefined; // no such file, or a folder: not an asset either way
  }
}

/** A body as it goes over the wire. */
export interface Encoded {
  readonly bytes: Uint8Array;
  readonly isGzip: boolean;
}

/** Bytes below which there is nothing to gain. */
const leastBytes = 2048;

/**
 * `fast`: on one machine compressing only costs time, and over `ssh` most of the gain comes first.
 * `small`: for what is compressed once and sent often.
 */
const levels = { fast: 1, small: 9 };

const runGzip = promisify(gzip);

/** Whether a request's `Accept-Encoding` allows gzip. */
export function takesGzip(accepted: string | string[] | undefined): boolean {
  const offers = String(accepted ?? "")
    .toLowerCase()
    .split(",");
  return offers.some((offer) => {
    const [name, ...parameters] = offer.split(";").map((part) => part.trim());
    return name === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/** Compresses a text in a separate thread, if the browser takes that. */
export async function compress(
  bytes: Uint8Array,
  isTaken: boolean,
  effort: keyof typeof levels = "fast",
): Promise<Encoded> {
  if (!isTaken || bytes.byteLength < leastBytes) return { bytes, isGzip: false };
  return { bytes: await runGzip(bytes, { level: levels[effort] }), isGzip: true };
}
