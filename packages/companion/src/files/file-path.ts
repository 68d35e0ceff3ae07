import nodePath from "node:path";
import { foldName } from "../system/disk.ts";
import { isInside } from "./workspace-path.ts";

/** The longest file path we take, in UTF-16 units: the limit of Linux, the widest in use. */
export const maxPathLength = 4096;

export interface FilePathRules {
  /** Absolute paths of the open folders; what the user has opened is no danger. */
  readonly roots: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/** Pure. @returns what is wrong with a path, as it goes on after its name; undefined when nothing is */
export function whyNoFilePath(
  filePath: string,
  { roots, platform = process.platform }: FilePathRules,
): string | undefined {
  if (filePath === "") return "must be an absolute path, got an empty string";
  if (filePath.length > maxPathLength) {
    return `must be at most ${maxPathLength} characters long, got ${filePath.length} characters`;
  }
  const got = `got ${JSON.stringify(filePath)}`;
  if (filePath.includes("\0")) return `must not contain a NUL character, ${got}`;
  const system = platform === "win32" ? nodePath.win32 : nodePath.posix;
  if (!system.isAbsolute(filePath)) return `must be absolute, ${got}`;
  const wrong = platform === "win32" ? whyNotOnWindows(filePath, roots) : whyNotOnPosix(filePath, roots);
  return wrong && `${wrong}, ${got}`;
}

/** Names that are devices in every folder, whatever follows a dot. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;

function whyNotOnWindows(filePath: string, roots: readonly string[]): string | undefined {
  const { normalize } = nodePath.win32;
  const whole = normalize(filePath);
  if (whole.startsWith("\\\\.\\")) return "must name a file, not a device";
  const path = withoutPrefix(whole);
  const isShare = path.startsWith("\\\\");
  // Looking at it would send the user's name and password hash to the machine that answers there.
  if (isShare && !roots.some((root) => isInside(path, withoutPrefix(normalize(root)), nodePath.win32))) {
    return "must lie on this machine or in an open folder";
  }
  if (!isShare && whole !== path && !/^[a-z]:\\/i.test(path)) return "must name a file, not a device";
  const names = path.replace(/^[a-z]:/i, "").split("\\");
  if (names.some((name) => name.includes(":"))) return "must name a file, not a stream of it";
  // Spaces and dots at the end do not count.
  if (names.some((name) => device.test(name.replace(/\..*$/s, "").trimEnd()))) {
    return "must name a file, not a device";
  }
  return undefined;
}

/** `\\?\C:\a` is `C:\a`, `\\?\UNC\server\share` is `\\server\share`. */
function withoutPrefix(path: string): string {
  if (!path.startsWith("\\\\?\\")) return path;
  const rest = path.slice(4);
  return /^unc\\/i.test(rest) ? `\\\\${rest.slice(4)}` : rest;
}

/** Of what looks like a file there, some never ends and some does things when it is opened. */
const systemFolder = /^\/(?:dev|proc|sys)(?:\/|$)/;

function whyNotOnPosix(filePath: string, roots: readonly string[]): string | undefined {
  const { posix } = nodePath;
  const path = posix.normalize(filePath);
  if (!systemFolder.test(path)) return undefined;
  const isIn = (folder: string) => isInside(path, folder, posix);
  // A folder in memory, where people do have files.
  if (isIn("/dev/shm") || roots.some(isIn)) return undefined;
  return "must name a file, not a part of the system";
}

/**
 * What two spellings of one file have in common where the disk does not tell them apart. Only to compare by: a path
 * goes on as it came.
 * @param path absolute
 */
export function pathKey(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return nodePath.win32.normalize(path).toLowerCase();
  if (platform === "darwin") return foldName(path);
  return path;
}
