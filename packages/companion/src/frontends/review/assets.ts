import { readFile } from "node:fs/promises";
import nodePath from "node:path";
import { fileURLToPath } from "node:url";

/** Where the build of the page lies next to the library: the same from its sources and from their build. */
export const defaultAssets = fileURLToPath(new URL("../../../dist/review", import.meta.url));

export interface Asset {
  readonly bytes: Buffer;
  /** MIME type. */
  readonly type: string;
  /** The name holds a digest of the content. */
  readonly immutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/**
 * One file of the built page.
 * @param urlPath `/name.js`; what is not made of plain names is not there.
 */
export async function readAsset(folder: string, urlPath: string): Promise<Asset | undefined> {
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
