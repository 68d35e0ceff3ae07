import { isUtf8 } from "node:buffer";
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { toWrittenForm } from "../../files/written-form.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";

export interface Writing {
  /** Absolute. */
  readonly file: string;
  /** What it held when the review began; undefined when there was none. */
  readonly before: Buffer | undefined;
  readonly content: string;
  readonly host: Host;
}

/**
 * A text as it is written over a file: with the line ends and the byte order mark that editors say the file keeps.
 * @param before the file's bytes; undefined when there is none
 */
export function toFormOnDisk(before: Buffer | undefined, text: string): string {
  return before && isUtf8(before) ? toWrittenForm(before.toString("utf8"), text) : text;
}

/**
 * Puts the accepted text where it was asked for, whole or not at all. A file that holds it already is not touched.
 * @throws Error when it cannot be written, or holds by now what nobody has seen in the review; tells where
 *   the text is kept instead
 */
export async function writeAccepted({ file, before, content, host }: Writing): Promise<void> {
  const text = toFormOnDisk(before, content);
  try {
    await writeReviewedFile(file, text, { before: { bytes: before } });
  } catch (error) {
    const kept = path.join(await mkdtemp(path.join(host.tmp, "ide-companion-kept-")), path.basename(file));
    await writeFile(kept, text, { mode: 0o600 });
    const reason = messageOf(error);
    throw new Error(`${file} was not written: ${reason}. The accepted text is kept in ${kept}`);
  }
}
