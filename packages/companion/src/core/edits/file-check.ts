import { fileStampOf } from "../../files/file-stamp.ts";
import type { FileResult } from "../events.ts";
import { holdsText } from "./file-holds.ts";

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
}

/** Looks whether a file comes to hold a text. Reading it is the only proof: agents do not say what they write. */
export class FileCheck {
  readonly #options: FileCheckOptions;
  readonly #startedAt = performance.now();
  #lookedAt: string | undefined;
  #result: FileResult | undefined;
  #timer: NodeJS.Timeout | undefined;
  #resolve = () => {};
  /** Resolves once there is a result. */
  readonly known = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  constructor(options: FileCheckOptions) {
    this.#options = options;
    this.#wait();
  }

  /** Takes the file as it is now for the result, unless there is one. */
  conclude(): void {
    if (this.#result === undefined) this.#report(this.#holds() ? "written" : this.#whatElse());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    const elapsed = performance.now() - this.#startedAt;
    const pace = paces.find(({ until }) => elapsed < until);
    this.#timer = pace && setTimeout(() => this.#look(), pace.every).unref();
  }

  #look(): void {
    // One that has not changed since the last look holds what it held then.
    const stamp = fileStampOf(this.#options.filePath);
    const isOther = this.#lookedAt === undefined || stamp !== this.#lookedAt;
    this.#lookedAt = stamp;
    if (isOther && this.#holds()) this.#report("written");
    else if (performance.now() - this.#startedAt >= deadline) this.conclude();
    if (this.#result !== "written") this.#wait();
  }

  #holds(): boolean {
    return holdsText(this.#options.filePath, this.#options.text);
  }

  #whatElse(): FileResult {
    return fileStampOf(this.#options.filePath) === this.#options.stamp ? "not-written" : "overwritten";
  }

  #report(result: FileResult): void {
    this.#result = result;
    if (result === "written") this.stop();
    this.#resolve();
    this.#options.onResult(result);
  }
}
