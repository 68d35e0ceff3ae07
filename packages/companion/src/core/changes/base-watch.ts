import { fileStampOf } from "../../files/file-stamp.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Editor } from "../editor.ts";
import type { OnCompanionEvent } from "../events.ts";
import type { Change } from "./change.ts";
import { rebase, take } from "./rebase.ts";

/** How often the files of waiting changes are looked at, in milliseconds: a stat each. */
const pace = 500;

export interface BaseWatchOptions {
  readonly editor: Pick<Editor, "flush" | "update">;
  readonly onEvent: OnCompanionEvent;
  readonly waiting: () => readonly Change[];
}

/** Keeps waiting changes in step with their files: what is shown is true, and what is accepted overwrites nobody's lines. */
export class BaseWatch {
  readonly #options: BaseWatchOptions;
  readonly #busy = new Set<Change>();
  /** Stamps of files whose change the editor could not show. */
  readonly #unshown = new WeakMap<Change, string>();
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
  async update(change: Change): Promise<void> {
    if (this.#busy.has(change)) return;
    this.#busy.add(change);
    try {
      await change.opened;
      await this.#update(change);
    } catch (error) {
      const { filePath } = change.proposal;
      const message = `the editor could not show what has changed in ${filePath}: ${messageOf(error)}`;
      if (!change.settled) this.#options.onEvent({ kind: "warning", message });
    } finally {
      this.#busy.delete(change);
    }
  }

  #look(): void {
    const waiting = this.#options.waiting();
    if (waiting.length === 0) this.stop();
    for (const change of waiting) {
      const stamp = fileStampOf(change.proposal.filePath);
      if (stamp !== change.stamp && stamp !== this.#unshown.get(change)) void this.update(change);
    }
  }

  async #update(change: Change): Promise<void> {
    const { editor } = this.#options;
    this.#unshown.set(change, fileStampOf(change.proposal.filePath));
    await editor.flush(change);
    const seen = change.text;
    const rebased = change.settled ? undefined : rebase(change, seen);
    if (!rebased) return;
    const { proposal, text, state } = rebased;
    await change.offer({ text, take: () => take(change, rebased, seen) }, () =>
      editor.update(change, { proposal, seen, text, state }),
    );
    this.#unshown.delete(change);
  }
}
