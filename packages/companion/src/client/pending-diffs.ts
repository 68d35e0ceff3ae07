import type { DiffComment } from "../agents/gemini-family/contract/context.ts";

/** One diff that waits for its outcome. */
export interface PendingDiff {
  readonly outcome: Promise<DiffOutcome>;
  /** Gives it up, unless it is settled already. */
  fail(error: unknown): void;
}

interface Entry extends PendingDiff {
  readonly settle: (outcome: DiffOutcome) => void;
}

/** The diffs that this client has opened and that are not decided yet, by the exact path that was sent. */
export class PendingDiffs {
  readonly #entries = new Map<string, Entry>();

  /** Expects the outcome of a diff. An earlier one for the same path is given up, as the companion does. */
  expect(filePath: string): PendingDiff {
    this.#take(filePath)?.fail(new Error(`${filePath} was proposed again`));
    let settle: Entry["settle"] = () => {};
    let fail: Entry["fail"] = () => {};
    const outcome = new Promise<DiffOutcome>((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
    // The caller may still be waiting for the call itself when this fails.
    outcome.catch(() => {});
    const entry = { outcome, settle, fail };
    this.#entries.set(filePath, entry);
    return entry;
  }

  settle(filePath: string, outcome: DiffOutcome): void {
    this.#take(filePath)?.settle(outcome);
  }

  failAll(error: Error): void {
    for (const { fail } of this.#entries.values()) fail(error);
    this.#entries.clear();
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
      /** What the user says with the decision; absent when that is nothing. */
      readonly comments?: readonly DiffComment[];
    }
  | { readonly kind: "rejected"; readonly comments?: readonly DiffComment[] }
  /** Closed by this client itself, with `suppressNotification`. */
  | { readonly kind: "closed" };
