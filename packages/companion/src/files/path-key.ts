import nodePath from "node:path";

/**
 * What two spellings of one file have in common where the disk does not tell them apart. Only to compare by: a path
 * goes on as it came.
 * @param path absolute
 */
export function pathKey(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return nodePath.win32.normalize(path).toLowerCase();
  if (platform === "darwin") return path.normalize("NFC").toLowerCase();
  return path;
}
