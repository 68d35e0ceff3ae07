import { lstatSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { adopt, merge } from "../../files/merge.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { hashOf } from "../../files/text-hash.ts";
import { foldersUpwards } from "../../system/disk.ts";
import type { Content } from "./entries.ts";
import type { WrittenLog } from "./written-log.ts";

/** The bytes of a file, one character each, so that merging changes none of them; null where there is no file. */
export type Bytes = string | null;

/** What files held, and what merging makes of it: in the log's folder, or in memory as long as nobody needs it later. */
export class Texts {
  readonly #log: WrittenLog;
  readonly #fresh = new Map<string, string>();

  constructor(log: WrittenLog) {
    this.#log = log;
  }

  /** @returns undefined where the bytes are not kept, or are gone */
  read(content: Content): Bytes | undefined {
    if (!("text" in content)) return undefined;
    if (content.text === null) return null;
    return this.#fresh.get(content.text) ?? this.#log.read(content.text)?.toString("latin1");
  }

  /** In memory. @param like what the other facts of the file are taken from */
  add(bytes: Bytes, like?: Content): Content {
    if (bytes === null) return { text: null };
    const hash = hashOf(Buffer.from(bytes, "latin1"));
    this.#fresh.set(hash, bytes);
    return { text: hash, ...(like && "mode" in like && { mode: like.mode }) };
  }

  /** What was added is on disk then. @throws Error of the file system */
  save(content: Content): void {
    const bytes = "text" in content && content.text !== null && this.#fresh.get(content.text);
    if (typeof bytes === "string") this.#log.keep(Buffer.from(bytes, "latin1"));
  }

  /**
   * Writes what a file is to hold, where both texts are kept.
   * @throws Error with the reason, a sentence about the file, as when it does not hold `now` any more
   */
  async write({ path: file, now, after }: { path: string; now: Content; after: Content }): Promise<void> {
    const [present, wanted] = [this.read(now), this.read(after)];
    if (isSame(now, after) || present === undefined || wanted === undefined) return;
    checkPath(file);
    const toBytes = (text: string | null) => (text === null ? undefined : Buffer.from(text, "latin1"));
    await writeReviewedFile(file, toBytes(wanted) ?? null, { before: { bytes: toBytes(present) } });
    // Otherwise its own mode stays.
    if (present === null && "mode" in after && after.mode !== undefined) await chmod(file, after.mode);
  }

  /** A content with the change from one to another in it; where both have changed the same lines, it stays as it is. */
  adopt(content: Content, from: Content, to: Content): Content {
    if (isSame(content, from)) return to;
    const [ours, before, theirs] = [content, from, to].map((each) => this.read(each));
    const isText = [ours, before, theirs].every((each) => typeof each === "string");
    return isText ? this.add(adopt(before ?? "", ours ?? "", theirs ?? ""), content) : content;
  }

  /** The same; undefined where both have changed the same lines, or bytes are not kept. */
  merge(content: Content, from: Content, to: Content): Content | undefined {
    if (isSame(content, from)) return to;
    if (isSame(from, to)) return content;
    const [ours, before, theirs] = [content, from, to].map((each) => this.read(each));
    if (typeof ours !== "string" || typeof before !== "string" || typeof theirs !== "string")
      return undefined;
    const merged = merge(before, ours, theirs);
    return merged.kind === "clean" ? this.add(merged.text, content) : undefined;
  }
}

/** No path that is recorded leads through a link: an agent may have put one there since, to a file that is not its to write. */
function checkPath(file: string): void {
  const link = foldersUpwards(file).find(isLink);
  if (link !== undefined) throw new Error(`${link} has become a link`);
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false; // none, or below what is no folder any more
  }
}

/** Whether a file has not changed. */
export function isSame(one: Content, other: Content): boolean {
  if ("text" in one) return "text" in other && one.text === other.text;
  return "stamp" in other && one.stamp === other.stamp;
}
