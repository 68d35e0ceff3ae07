import { fileURLToPath, pathToFileURL } from "node:url";

/** The absolute path that a `file:` URI names; undefined for every other one: what it shows is on no disk. */
export function toFilePath(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return withoutLastSlash(withCapitalDrive(fileURLToPath(uri)));
  } catch {
    return undefined; // not a path on this system, as with a host or a coded slash
  }
}

/** The URI of a path, as this process writes it. Editors write some characters in other ways: compare paths. */
export function toFileUri(path: string): string {
  return pathToFileURL(path).href;
}

/** Pure. Editors send `c:`; Windows itself, and the agents' own paths, have `C:`. */
export function withCapitalDrive(path: string): string {
  return /^[a-z]:/.test(path) ? path.charAt(0).toUpperCase() + path.slice(1) : path;
}

/** A folder may be sent with a slash at its end; that of a whole disk has to keep it. */
function withoutLastSlash(path: string): string {
  return path.length > 1 && /[^:][\\/]$/.test(path) ? path.slice(0, -1) : path;
}
