import { FolderError } from "../../system/private-file.ts";

/** Why agent CLIs cannot find this companion: a sentence that names the folder or file and the remedy. */
export class DiscoveryError extends Error {
  override readonly name = "DiscoveryError";
}

/** A discovery file that could not be written. */
export interface Failure {
  readonly path: string;
  readonly error: unknown;
}

/** Says once for every reason what failed for it, and what to do. */
export function describeFailures(failures: readonly Failure[]): string {
  const pathsByReason = new Map<string, readonly string[]>();
  for (const { path, error } of failures) {
    // A refused folder is the whole story; otherwise the reason lacks what it is about.
    const [reason, paths] = error instanceof FolderError ? [error.message, []] : [explain(error), [path]];
    pathsByReason.set(reason, [...(pathsByReason.get(reason) ?? []), ...paths]);
  }
  return [...pathsByReason].map(([reason, paths]) => toSentence(reason, paths)).join(" ");
}

function toSentence(reason: string, [first, ...others]: readonly string[]): string {
  if (first === undefined) return reason;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `Cannot write ${first}${more}: ${reason}`;
}

function explain(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (error instanceof Error ? withoutPath(error.message) : String(error));
}

/** `EIO: i/o error, open '/tmp/…'`: the path is that of a temporary file, another one each time. */
const withoutPath = (message: string) => message.replace(/, \w+ '.*$/s, ".");

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space, or point TMPDIR at a folder on another disk.",
  EDQUOT: "your disk quota is used up. Free some space, or point TMPDIR at a folder on another disk.",
  EROFS: "the file system is read-only. Point TMPDIR at a folder that can be written.",
  EACCES: "permission denied. Make the folder writable for you, or point TMPDIR at another one.",
  EPERM: "something of another user is in the way. Remove that, or point TMPDIR at your own folder.",
  ENOENT: "the folder does not exist. Point TMPDIR at one that does.",
  EISDIR: "a folder is in the way. Remove that folder.",
  ENOTDIR: "a file is in the way. Remove that file.",
};
