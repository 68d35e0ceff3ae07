import { setTimeout } from "node:timers/promises";
import { createDeferred } from "../system/deferred.ts";
import type { CompanionClient } from "./companion-client.ts";
import type { DiffOutcome } from "./pending-diffs.ts";
import { DiffRefused, lag } from "./tools.ts";
import { ConnectionLost } from "./transport.ts";

/** In how many connections one after the other a diff may fail to open before its caller hears of it. */
const maxTroubles = 3;

/** How the user decides outside of the IDE. */
export type TerminalDecision = "accept" | "reject";

type Promised = ReturnType<typeof createPromised>;

/**
 * The diffs that somebody waits for, by path. Each gets one outcome, by the first decision, and outlives the
 * connection by which it was shown: the next one shows it again.
 */
export class PromisedDiffs {
  readonly #open = new Map<string, Promised>();
  readonly #onTrouble: (connection: CompanionClient) => void;
  #connection: CompanionClient | undefined;

  /** @param onTrouble called with a connection on which a diff could not be opened, and not by the IDE's will */
  constructor(onTrouble: (connection: CompanionClient) => void) {
    this.#onTrouble = onTrouble;
  }

  /** Shows every open diff by this connection; none is shown until there is one again. */
  attach(connection: CompanionClient | undefined): void {
    this.#connection = connection;
    for (const diff of this.#open.values()) this.#show(diff);
  }

  propose(filePath: string, newContent: string, signal?: AbortSignal): Promise<DiffOutcome> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#take(filePath)?.fail(new Error(`${filePath} was proposed again`));
    const diff = createPromised(filePath, newContent);
    this.#open.set(filePath, diff);
    const withdraw = () => {
      if (!this.#isOpen(diff)) return;
      this.#take(filePath)?.fail(signal?.reason);
      // When this fails the companion has gone, and the diff with it.
      this.#connection?.closeDiff(filePath, { suppressNotification: true }).catch(() => {});
    };
    signal?.addEventListener("abort", withdraw, { once: true });
    const forget = () => signal?.removeEventListener("abort", withdraw);
    diff.outcome.then(forget, forget);
    this.#show(diff);
    return diff.outcome;
  }

  /**
   * Decides as the user did, and takes what has been typed in the IDE along. Unless the IDE has been faster.
   * @returns what was decided in the end
   * @throws Error when no diff of this file is open
   */
  async decide(filePath: string, decision: TerminalDecision): Promise<DiffOutcome> {
    const diff = this.#open.get(filePath);
    if (!diff) throw new Error(`no diff of ${filePath} is open`);
    const text = await this.#close(diff);
    if (this.#isOpen(diff)) {
      const accepted: DiffOutcome = { kind: "accepted", content: text ?? diff.newContent };
      this.#take(filePath)?.settle(decision === "accept" ? accepted : { kind: "rejected" });
    }
    return diff.outcome;
  }

  failAll(error: Error): void {
    for (const { fail } of this.#open.values()) fail(error);
    this.#open.clear();
  }

  #show(diff: Promised): void {
    const connection = this.#connection;
    if (!connection) return;
    connection.openDiff(diff.filePath, diff.newContent).then(
      (outcome) => {
        // Closed by us: the one who closed it also says what that means.
        if (outcome.kind !== "closed" && this.#isOpen(diff)) this.#take(diff.filePath)?.settle(outcome);
      },
      (error: unknown) => {
        if (!this.#isOpen(diff) || connection !== this.#connection) return;
        if (!(error instanceof DiffRefused || error instanceof ConnectionLost)) diff.troubles += 1;
        const isFinal = error instanceof DiffRefused || diff.troubles === maxTroubles;
        if (isFinal) this.#take(diff.filePath)?.fail(error);
        else this.#onTrouble(connection);
      },
    );
  }

  /** @returns the text as it stood in the IDE; undefined when that cannot be had any more */
  async #close({ filePath, outcome }: Promised): Promise<string | undefined> {
    try {
      return await this.#connection?.closeDiff(filePath, { suppressNotification: true });
    } catch (error) {
      // The IDE was faster, and its word is on its way; or it is gone, and the user's word here stands.
      const isDecided = outcome.then(noop, noop);
      if (error instanceof DiffRefused)
        await Promise.race([isDecided, setTimeout(lag, undefined, { ref: false })]);
      return undefined;
    }
  }

  #isOpen(diff: Promised): boolean {
    return this.#open.get(diff.filePath) === diff;
  }

  #take(filePath: string): Promised | undefined {
    const diff = this.#open.get(filePath);
    this.#open.delete(filePath);
    return diff;
  }
}

function createPromised(filePath: string, newContent: string) {
  const { promise: outcome, resolve: settle, reject: fail } = createDeferred<DiffOutcome>();
  // The one who proposed it hears of it; who only decides may not listen.
  outcome.catch(() => {});
  /** How often it could not be opened, and the IDE was not gone. */
  const troubles = 0;
  return { filePath, newContent, outcome, settle, fail, troubles };
}

const noop = () => {};
