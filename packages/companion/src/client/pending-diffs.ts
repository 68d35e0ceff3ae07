import type { DiffComment } from "../agents/gemini-family/contract/context.ts";
import { createDeferred } from "../system/deferred.ts";

/** One diff that waits for its outcome. */
export interface PendingDiff {
  readonly outcome: Promise<DiffOutcome>;
  /** The companion has sent its outcome, even if it has been given up by then; or the connection is lost. */
  readonly heard: Promise<void>;
  /** Gives it up, unless it is settled already. */
  fail(error: unknown): void;
}

interface Entry extends PendingDiff {
  readonly settle: (outcome: DiffOutcome) => void;
  readonly hear: () => void;
}

/** The diffs that this client has opened and that are not decided yet, by the exact path that was sent. */
export class PendingDiffs {
  readonly #entries = new Map<string, Entry>();
  /** The calls that open diffs and are not answered yet. */
  readonly #openings = new Map<string, Promise<unknown>>();
  readonly #endings = new Map<string, Promise<unknown>>();

  /** A diff is being opened. @param call answered once the companion knows of it */
  open(filePath: string, call: Promise<unknown>): void {
    this.#openings.set(filePath, call);
    const forget = () => {
      if (this.#openings.get(filePath) === call) this.#openings.delete(filePath);
    };
    call.then(forget, forget);
  }

  /** Ends a diff. Outcomes name a path alone: until `work` is over, the next diff of that file has to wait. */
  async end<Result>(filePath: string, work: () => Promise<Result>): Promise<Result> {
    const ending = this.#onceOpen(filePath, work);
    this.#endings.set(filePath, ending);
    try {
      return await ending;
    } finally {
      if (this.#endings.get(filePath) === ending) this.#endings.delete(filePath);
    }
  }

  /** Resolves once no diff of a file is being opened or ended. */
  async free(filePath: string): Promise<void> {
    const find = () => this.#openings.get(filePath) ?? this.#endings.get(filePath);
    for (let busy = find(); busy; busy = find()) {
      await busy.catch(() => {}); // who opens or ends it hears why that failed
    }
  }

  /** Expects the outcome of a diff. An earlier one for the same path is given up, as the companion does. */
  expect(filePath: string): PendingDiff {
    this.#take(filePath)?.fail(new Error(`${filePath} was proposed again`));
    const outcome = createDeferred<DiffOutcome>();
    const heard = createDeferred<void>();
    // The caller may still be waiting for the call itself when this fails.
    outcome.promise.catch(() => {});
    const entry = {
      ...{ outcome: outcome.promise, settle: outcome.resolve, fail: outcome.reject },
      ...{ heard: heard.promise, hear: heard.resolve },
    };
    this.#entries.set(filePath, entry);
    return entry;
  }

  settle(filePath: string, outcome: DiffOutcome): void {
    const entry = this.#take(filePath);
    entry?.settle(outcome);
    entry?.hear();
  }

  failAll(error: Error): void {
    for (const { fail, hear } of this.#entries.values()) {
      fail(error);
      hear();
    }
    this.#entries.clear();
  }

  /** A short call overtakes the long one that opens its diff: then its companion has none to end yet. */
  async #onceOpen<Result>(filePath: string, work: () => Promise<Result>): Promise<Result> {
    const opening = this.#openings.get(filePath);
    try {
      return await work();
    } catch (error) {
      if (!opening) throw error;
      await opening.catch(() => {}); // who opens it hears why that failed
      return work();
    }
  }

  #take(filePath: string): Entry | undefined {
    const entry = this.#entries.get(filePath);
    this.#entries.delete(filePath);
    return entry;
  }
}

/** How a diff that this client opened ended. */
export type DiffOutcome =
  | {
      readonly kind: "accepted";
      /** The final text, the user's edits included. */
      readonly content: string;
      /**
       * SHA-256, in hexadecimal, of the text for which `content` is made: what the file held when the user decided, which
       * may be newer than the text at the proposal. Absent where the companion does not say it, or there was no text.
       */
      readonly before?: string;
      /** What the user says with the decision; absent when that is nothing. */
      readonly comments?: readonly DiffComment[];
    }
  | { readonly kind: "rejected"; readonly comments?: readonly DiffComment[] }
  /** Closed by this client itself, with `suppressNotification`. */
  | { readonly kind: "closed" };
