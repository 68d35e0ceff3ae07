import path from "node:path";
import { defaultExclusions } from "../../core/sharing/exclusion.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { readUserConfig } from "../user-config.ts";

/**
 * Whether a file is kept from agents, and so its text from our folder as well.
 * @param root absolute path of the folder from which the user's patterns count
 */
export async function isSecret(file: string, root: string, host: Host): Promise<boolean> {
  const { exclude, excludeGitIgnored } = readUserConfig(host);
  return isAmong([...defaultExclusions, ...exclude], file, root, { host, excludeGitIgnored });
}

/** Whether patterns name a file. @param root absolute path of the folder from which they count */
export async function isAmong(
  patterns: readonly string[],
  file: string,
  root: string,
  { host, excludeGitIgnored = false }: { readonly host: Host; readonly excludeGitIgnored?: boolean },
): Promise<boolean> {
  const names = [file, toRealPath(file)];
  if (!excludeGitIgnored && !names.some((name) => couldMatch(name, patterns))) return false;
  const { createSharing } = await import("./rarely.ts");
  const sharing = createSharing({
    host,
    roots: () => [root],
    exclude: () => patterns,
    excludeGitIgnored: () => excludeGitIgnored,
  });
  return sharing.check(file);
}

/** Fast, for almost all files: what a pattern says without its wildcards is in each name that it matches. */
function couldMatch(name: string, patterns: readonly string[]): boolean {
  const lower = name.toLowerCase().replaceAll(path.sep, "/");
  return patterns.some((pattern) => {
    const words = pattern
      .trim()
      .toLowerCase()
      .split(/\[[^\]]*\]|[*?/]|\\./);
    return !pattern.startsWith("!") && words.every((word) => lower.includes(word));
  });
}
