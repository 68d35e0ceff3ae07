import { type Stats, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Host } from "../../system/host.ts";
import { UsageError } from "../invocation.ts";

/** What git and others name where a file does not exist on one side. */
const nowhere = ["/dev/null", "nul", "\\\\.\\nul"];

/** The two sides of a review. */
export interface Texts {
  /** The file under review: absolute; need not exist. */
  readonly file: string;
  /** Its bytes as they were when the review began; undefined for a new file. */
  readonly before: Buffer | undefined;
  readonly proposed: string;
  /** Removes what was made for the review. */
  close(): Promise<void>;
}

/**
 * Reads both sides.
 * @param folder absolute; what relative names start from
 * @throws UsageError naming the file that cannot be one side of a review
 */
export async function readTexts(
  original: string,
  proposal: string,
  { folder, host }: { readonly folder: string; readonly host: Host },
): Promise<Texts> {
  const proposed = await readProposal(proposal, folder);
  if (isNowhere(original)) {
    // A companion compares with the file of that name: there must be none.
    const made = await mkdtemp(path.join(host.tmp, "ide-companion-diff-"));
    const close = () => rm(made, { recursive: true, force: true });
    return { file: path.join(made, path.basename(proposal)), before: undefined, proposed, close };
  }
  const file = path.resolve(folder, original);
  const before = tryStat(file) ? await readSide(file) : undefined;
  return { file, before, proposed, close: async () => {} };
}

export const isNowhere = (file: string): boolean => nowhere.includes(file.toLowerCase());

async function readProposal(proposal: string, folder: string): Promise<string> {
  if (isNowhere(proposal)) return "";
  if (proposal === "-") return decode(await buffer(process.stdin), "standard input");
  const file = path.resolve(folder, proposal);
  return decode(await readSide(file), file);
}

async function readSide(file: string): Promise<Buffer> {
  const stats = tryStat(file);
  if (stats === undefined) throw new UsageError(`there is no file ${file}`);
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder: diff reviews one file at a time`);
  // A pipe, as a shell makes one of <(command), is read to its end.
  return readFile(file);
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8 text: it cannot be reviewed`);
  }
}

function tryStat(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}
