import { fileStampOf } from "../files/file-stamp.ts";
import { messageOf } from "../system/error-message.ts";
import type { Editor } from "./editor.ts";
import type { OnCompanionEvent } from "./events.ts";
import { rebase, take } from "./rebase.ts";
import type { Review } from "./review.ts";

/** How often the files of waiting changes are looked at, in milliseconds: a stat each. */
const pace = 500;

export interface BaseWatchOptions {
  readonly editor: Pick<Editor, "readDiff" | "updateDiff">;
  readonly onEvent: OnCompanionEvent;
  readonly waiting: () => readonly Review[];
}

/** Keeps waiting changes in step with their files: what is shown is true, and what is accepted overwrites nobody's lines. */
export class BaseWatch {
  readonly #options: BaseWatchOptions;
  readonly #busy = new Set<Review>();
  /** Stamps of files whose change the editor could not show. */
  readonly #unshown = new WeakMap<Review, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BaseWatchOptions) {
    this.#options = options;
  }

  /** Looks as long as changes wait. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), pace).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Shows a change against its file as it is now, unless its user types in it at this moment: then at the next look. */
  async update(review: Review): Promise<void> {
    if (this.#busy.has(review)) return;
    this.#busy.add(review);
    try {
      await review.opened;
      await this.#update(review);
    } catch (error) {
      const { filePath } = review.proposal;
      const message = `the editor could not show what has changed in ${filePath}: ${messageOf(error)}`;
      if (!review.settled) this.#options.onEvent({ kind: "warning", message });
    } finally {
      this.#busy.delete(review);
    }
  }

  #look(): void {
    const waiting = this.#options.waiting();
    if (waiting.length === 0) this.stop();
    for (const review of waiting) {
      const stamp = fileStampOf(review.proposal.filePath);
      if (stamp !== review.stamp && stamp !== this.#unshown.get(review)) void this.update(review);
    }
  }

  async #update(review: Review): Promise<void> {
    const { editor } = this.#options;
    const { id, filePath } = review.proposal;
    this.#unshown.set(review, fileStampOf(filePath));
    const seen = await editor.readDiff(id);
    const rebased = review.settled ? undefined : rebase(review, seen);
    if (!rebased) return;
    const { proposal, text, state } = rebased;
    review.draft.save(seen);
    const shown = await editor.updateDiff(proposal, { seen, text, state });
    this.#unshown.delete(review);
    if (!review.settled && shown === text) take(review, rebased, seen);
  }
}
