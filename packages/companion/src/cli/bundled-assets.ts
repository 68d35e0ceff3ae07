import { existsSync } from "node:fs";
import path from "node:path";

/** The review page next to the bundled executable; the library knows its own place. */
export function bundledAssets(program: string): { readonly assets?: string } {
  const assets = path.join(program, "review");
  return existsSync(path.join(assets, "index.html")) ? { assets } : {};
}
