import path from "node:path";

/** A path as people write it: with a tilde for their home. */
export function toDisplayPath(file: string, home: string, system: typeof path = path): string {
  if (home === "" || system.dirname(home) === home) return file;
  if (file === home) return "~";
  return file.startsWith(home + system.sep) ? `~${file.slice(home.length)}` : file;
}
