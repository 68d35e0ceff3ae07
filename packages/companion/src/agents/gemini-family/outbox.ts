import type { Proposal } from "../../core/editor.ts";
import { pathKey } from "../../files/file-path.ts";
import type { Decided } from "./frames.ts";

/** How long an outcome that has left is kept in case its stream turns out to be dead, in milliseconds. */
const keptAfterFlush = 30_000;
/** Outcomes kept for one session at most; a CLI has one diff open at a time. */
const maxLetters = 64;

/** One outcome on its way. */
export interface Letter {
  /** Its event id on a stream, growing from 1. */
  readonly id: number;
  readonly outcome: Decided;
  readonly proposal: Proposal;
  state: "held" | "sent" | "flushed";
  /** The stream it was last sent on. */
  stream: object | undefined;
  /** `performance.now()` when it was flushed. */
  flushedAt: number;
}

/**
 * The outcomes a session has still to take, so that each arrives exactly once whatever its streams do.
 *
 * Every stream starts with an event that has an id. A client that resumes names the last id it has
 * received: what came later is sent again. One that names none cannot tell, so only what never left
 * this process is sent again.
 * @see docs/reference/contract.md#1-transport
 */
export class Outbox {
  #letters: Letter[] = [];
  #lastId = 0;

  get held(): readonly Letter[] {
    return this.#letters.filter((letter) => letter.state === "held");
  }

  /** The id that says: everything up to here has been received or will not be sent again. */
  get baseId(): number {
    return (this.held[0]?.id ?? this.#lastId + 1) - 1;
  }

  add(outcome: Decided, proposal: Proposal): void {
    this.#forgetOld();
    this.#lastId += 1;
    const state = { state: "held", stream: undefined, flushedAt: 0 } as const;
    this.#letters.push({ id: this.#lastId, outcome, proposal, ...state });
  }

  /** A newer proposal for a path makes older outcomes of that path wrong answers. */
  forget(filePath: string): void {
    const key = pathKey(filePath);
    this.#letters = this.#letters.filter((letter) => pathKey(letter.proposal.filePath) !== key);
  }

  /** A stream has closed: what never left this process is held again. */
  reclaim(stream: object): void {
    for (const letter of this.#letters) {
      if (letter.stream === stream && letter.state === "sent") letter.state = "held";
    }
  }

  /** A client resumes and names the last event it has received: what came later is held again. */
  resume(lastEventId: number): void {
    this.#letters = this.#letters.filter((letter) => letter.id > lastEventId);
    for (const letter of this.#letters) letter.state = "held";
  }

  #forgetOld(): void {
    const now = performance.now();
    this.#letters = this.#letters
      .filter((letter) => letter.state !== "flushed" || now - letter.flushedAt < keptAfterFlush)
      .slice(1 - maxLetters);
  }
}
