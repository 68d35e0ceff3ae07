import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { toStamp } from "../../files/file-stamp.ts";
import { codeOf } from "../../system/error-message.ts";
import type { Content } from "./entries.ts";
import { maxTextBytes, type WrittenLog } from "./written-log.ts";

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
