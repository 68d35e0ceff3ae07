import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { hashOf } from "../../files/text-hash.ts";
import { decodeExactly } from "../../files/written-form.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";

export interface Writing {
  /** Absolute. */
  readonly file: string;
  /** What it held when the review began; undefined when there was none. */
  readonly before: Buffer | undefined;
  /** Hash of what it held at the decision, which the accepted text was made for; undefined when nobody says it. */
  readonly decidedFor?: string | undefined;
  readonly content: string;
  readonly host: Host;
}

/**
 * Puts the accepted text where it was asked for, whole or not at all. A file that holds it already is not touched.
 * @throws Error when it cannot be written, or holds by now what nobody has seen in the review; tells where
 *   the text is kept instead
 */
export async function writeAccepted({ file, before, decidedFor, content, host }: Writing): Promise<void> {
  try {
    const now = decidedFor === undefined ? undefined : await readFile(file).catch(() => undefined);
    const text = now && decodeExactly(now);
    const isDecidedFor = text !== undefined && hashOf(text) === decidedFor;
    await writeReviewedFile(file, content, { before: { bytes: isDecidedFor ? now : before } });
  } catch (error) {
    throw await keep(content, { what: file, name: path.basename(file), host, error });
  }
}

/**
 * Puts the accepted text on standard output.
 * @param name of the reviewed file
 * @throws Error when it cannot be written, or nobody reads it any more; tells where the text is kept instead
 */
export async function printAccepted(content: string, name: string, host: Host): Promise<void> {
  process.stdout.on("error", () => {}); // reported below
  const error = await new Promise((resolve) => process.stdout.write(content, resolve));
  if (error) throw await keep(content, { what: "standard output", name, host, error });
}

interface Failure {
  /** Where the text should have gone. */
  readonly what: string;
  readonly name: string;
  readonly host: Host;
  readonly error: unknown;
}

/** @returns what to tell the user */
async function keep(text: string, { what, name, host, error }: Failure): Promise<Error> {
  const kept = path.join(await mkdtemp(path.join(host.tmp, "ide-companion-kept-")), name);
  await writeFile(kept, text, { mode: 0o600 });
  return new Error(`${what} was not written: ${messageOf(error)}. The accepted text is kept in ${kept}`);
}
