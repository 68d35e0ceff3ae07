import { safeName } from "./safe-name.ts";

/** The last name of a path, whichever separator its system uses; nothing in it hides or turns. */
export function baseName(path: string): string {
  return safeName(path.slice(lastSeparator(path) + 1) || path);
}

/** What comes before the last name, separator included; empty when there is nothing. */
export function folderPart(path: string): string {
  return safeName(path.slice(0, lastSeparator(path) + 1));
}

function lastSeparator(path: string): number {
  return Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
}

/** A path below one of the roots, with the root's name before it when there are several. */
export function labelPath(path: string, roots: readonly string[]): string {
  for (const root of roots) {
    const folder = root.replace(/[\\/]$/, "");
    if (!path.startsWith(folder) || !/[\\/]/.test(path[folder.length] ?? "")) continue;
    const rest = path.slice(folder.length + 1);
    return safeName(roots.length > 1 ? `${baseName(folder)}/${rest}` : rest);
  }
  return safeName(path);
}
