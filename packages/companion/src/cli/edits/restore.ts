import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createTwoFilesPatch } from "diff";
import type { EditsStore } from "../../core/edits/edits-store.ts";
import type { RecoveredEdits } from "../../core/edits/recovered-edits.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { toShellWord } from "../../system/shell-word.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { describeDifference } from "./edits-text.ts";

/** What a file holds, and what writing the edits would change. */
export interface Comparison {
  /** Undefined when there is no such file. */
  readonly onDisk: string | undefined;
  /** A unified diff; empty when the file holds the text. */
  readonly patch: string;
}

/** @throws UsageError when something other than a regular file is there */
export function compare(file: string, { text }: RecoveredEdits): Comparison {
  const onDisk = readIfThere(file)?.toString("utf8");
  if (onDisk === text) return { onDisk, patch: "" };
  const before = onDisk === undefined ? "/dev/null" : file;
  const patch = createTwoFilesPatch(before, file, onDisk ?? "", text, "on disk", "with your edits", {
    timeout: 2000,
  });
  return { onDisk, patch: patch ?? `The texts differ too much to be compared line by line.\n` };
}

/** Writes edits to their file, or to another one; never over something that the user may not know of. */
export async function restore(
  edits: EditsStore,
  found: RecoveredEdits,
  target: string | undefined,
  { arguments: given, folder, out, err }: Invocation,
): Promise<number> {
  const { id, filePath, text, at } = found;
  const file = target === undefined ? filePath : path.resolve(folder, target);
  const bytes = readIfThere(file);
  const { patch } = compare(file, found);
  const isKnown = target === undefined && bytes !== undefined && statSync(file).mtimeMs <= at;
  if (patch !== "" && bytes !== undefined && !isKnown && !given.has("force")) {
    const what = target === undefined ? "has changed since you typed this" : "is there already";
    for (const line of describeDifference(patch, err.paint)) err.line(line);
    err.line(err.paint.yellow(`${file} ${what}, and was not written. This is what writing it would change.`));
    const again = `ide-companion edits restore ${id}`;
    err.line(
      `Write it: ${err.paint.bold(`${again}${target === undefined ? "" : ` ${toShellWord(target)}`} --force`)}`,
    );
    err.line(`Write another file: ${err.paint.bold(`${again} PATH`)}`);
    return exitCodes.failure;
  }
  await writeReviewedFile(file, text, { before: { bytes } });
  const isHome = target === undefined || file === filePath;
  if (isHome) edits.discard(id);
  if (given.has("json")) out.line(JSON.stringify({ restored: id, file, patch }, null, 2));
  else {
    for (const line of describeDifference(patch, out.paint)) out.line(line);
    out.line(`${out.paint.green("written:")} ${out.paint.plain(file)}`);
    if (!isHome) out.line(out.paint.dim(`They stay in the list: ide-companion edits discard ${id}`));
  }
  return exitCodes.ok;
}

/** @throws UsageError when something other than a regular file is there */
export function readIfThere(file: string): Buffer | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // Reading from a pipe waits for a writer.
  if (!stats.isFile()) throw new UsageError(`${file} is not a regular file: name another one`);
  return readFileSync(file);
}
