import { readFile } from "node:fs/promises";
import { type FileText, readFileText } from "../../files/file-text.ts";

/** A file that may be written, because its user has seen what it holds. */
export interface SeenFile {
  readonly onDisk: Extract<FileText, { readonly kind: "text" | "missing" }>;
  /** Undefined where there is none. */
  readonly bytes: Buffer | undefined;
}

/**
 * @param stamp of the file as the user has seen it; undefined where there was none
 * @throws Error with a sentence when it is no text, or another one by now
 */
export async function readAsSeen(filePath: string, stamp: string | undefined): Promise<SeenFile> {
  const onDisk = await readFileText(filePath);
  if (onDisk.kind !== "text" && onDisk.kind !== "missing") throw new Error("The file on disk is not a text.");
  const isText = onDisk.kind === "text";
  if ((isText ? onDisk.stamp : undefined) !== stamp) {
    throw new Error("The file has changed since you looked at it. Look at it once more.");
  }
  return { onDisk, bytes: isText ? await readFile(filePath) : undefined };
}
