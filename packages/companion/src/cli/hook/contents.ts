import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { defaultExclusions } from "../../core/sharing/exclusion.ts";
import type { Content } from "../../core/written/entries.ts";
import { maxTextBytes, type WrittenLog } from "../../core/written/written-log.ts";
import { toStamp } from "../../files/file-stamp.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { codeOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import { readUserConfig } from "../user-config.ts";

/**
 * What a file holds now, kept in the log.
 * @param isSecret asked for a file that is there
 */
export async function lookInto(
  file: string,
  log: WrittenLog,
  isSecret: () => Promise<boolean>,
): Promise<Content> {
  let handle: number;
  try {
    // Not blocking: it may be a pipe. Windows has no such flag.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR"
      ? { text: null }
      : { withheld: "no-file", stamp: `${code}` };
  }
  try {
    const stat = fstatSync(handle, { bigint: true });
    const stamp = toStamp(stat);
    if (!stat.isFile()) return { withheld: "no-file", stamp };
    if (await isSecret()) return { withheld: "secret", stamp };
    if (stat.size > maxTextBytes) return { withheld: "large", stamp };
    const bytes = readFileSync(handle);
    try {
      return { text: log.keep(bytes), mode: Number(stat.mode & 0o7777n), written: Number(stat.mtimeMs) };
    } catch {
      return { withheld: "no-room", stamp };
    }
  } finally {
    closeSync(handle);
  }
}

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
