import { readFileSync, statSync } from "node:fs";
import { toComparable } from "../../files/comparable-text.ts";
import { fileStampOf, lookAt } from "../../files/file-stamp.ts";
import { possibleTexts } from "../../files/written-form.ts";
import { createDeferred } from "../../system/deferred.ts";
import type { FileResult } from "../events.ts";

/** Until when a file is looked at how often, in milliseconds. Agents write 10 to 400 ms after an acceptance. */
const paces = [
  { until: 500, every: 10 },
  { until: 2_000, every: 50 },
  // An agent may have been asleep, or its stream down.
  { until: 10 * 60_000, every: 1_000 },
] as const;

/** When the user has to hear of it, in milliseconds. */
const deadline = 2_000;

export interface FileCheckOptions {
  readonly filePath: string;
  /** What the file is to hold. */
  readonly text: string;
  /** Of the file, before its agent could write it. */
  readonly stamp: string;
  /** Called once within two seconds, and once more when the file holds the text later. */
  readonly onResult: (result: FileResult) => void;
  /** The file holds the text, or nobody looks any more. */
  readonly onEnd: () => void;
}

/** Looks whether a file comes to hold a text. Reading it is the only proof: agents do not say what they write. */
export class FileCheck {
  readonly #options: FileCheckOptions;
  readonly #startedAt = performance.now();
  #lookedAt: string | undefined;
  #result: FileResult | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #known = createDeferred<void>();
  /** Resolves once there is a result. */
  readonly known = this.#known.promise;

  constructor(options: FileCheckOptions) {
    this.#options = options;
    this.#wait();
  }

  /** There is a result. */
  get isKnown(): boolean {
    return this.#result !== undefined;
  }

  /** Takes the file as it is now for the result. */
  conclude(): void {
    if (this.#holds()) this.#report("written");
    else if (!this.isKnown) this.#report(this.#whatElse());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    const elapsed = performance.now() - this.#startedAt;
    const pace = paces.find(({ until }) => elapsed < until);
    if (pace) this.#timer = setTimeout(() => this.#look(), pace.every).unref();
    else this.#options.onEnd();
  }

  #look(): void {
    // One that has not changed since the last look holds what it held then.
    const stamp = fileStampOf(this.#options.filePath);
    const isOther = this.#lookedAt === undefined || stamp !== this.#lookedAt;
    this.#lookedAt = stamp;
    if (isOther && this.#holds()) this.#report("written");
    else if (!this.isKnown && performance.now() - this.#startedAt >= deadline) this.conclude();
    if (this.#result !== "written") this.#wait();
  }

  #holds(): boolean {
    const { filePath, text } = this.#options;
    // Of a file that is to go, the user has accepted an empty text.
    return holdsText(filePath, text) || (text === "" && lookAt(filePath).kind === "missing");
  }

  #whatElse(): FileResult {
    return fileStampOf(this.#options.filePath) === this.#options.stamp ? "not-written" : "overwritten";
  }

  #report(result: FileResult): void {
    this.#result = result;
    this.#known.resolve();
    this.#options.onResult(result);
    if (result !== "written") return;
    this.stop();
    this.#options.onEnd();
  }
}

/**
 * Whether a file holds a text: byte for byte, or with the line ends, the byte order mark and the encoding that agents
 * put back when they write a text into a file that has them. A file that cannot be read does not. It is read at once: an
 * answer that came later could be about another text.
 */
export function holdsText(filePath: string, text: string): boolean {
  if (!couldHold(filePath, Buffer.byteLength(text))) return false;
  try {
    const bytes = readFileSync(filePath);
    if (bytes.equals(Buffer.from(text))) return true;
    for (const onDisk of possibleTexts(bytes)) if (toComparable(onDisk, text).text === text) return true;
    return false;
  } catch {
    return false; // unreadable
  }
}

/**
 * Whether a regular file is about as long as a text of so many bytes in UTF-8: what may be put back are line ends and a
 * byte order mark, and other encodings take a third to twice as much. Opening a pipe or a device would wait for somebody
 * else.
 */
export function couldHold(filePath: string, bytes: number): boolean {
  try {
    const stat = statSync(filePath, { throwIfNoEntry: false });
    return stat?.isFile() === true && 3 * stat.size >= bytes && stat.size <= 4 * bytes + 3;
  } catch {
    return false; // below what is no folder, or out of reach
  }
}
