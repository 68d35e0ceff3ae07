import type { Proposal } from "../editor.ts";
import type { EditsStore } from "./edits-store.ts";
import { type RecoveredEdits, thisProcess } from "./recovered-edits.ts";

/** How long a text that is typed may be in memory alone, in milliseconds. */
const longestUnwritten = 250;

/** What the user typed in one proposal, from the first letter until its file holds it or its user knows of it. */
export class Draft {
  readonly #proposal: Proposal;
  readonly #store: EditsStore;
  #text: string;
  #reason = "The companion ended before you decided.";
  #id: string | undefined;
  #isRecovered = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(proposal: Proposal, store: EditsStore) {
    this.#proposal = proposal;
    this.#store = store;
    this.#text = proposal.newContent;
  }

  /** As typed last; the proposed text when nothing was. */
  get text(): string {
    return this.#text;
  }

  get isEdited(): boolean {
    return this.#text !== this.#proposal.newContent;
  }

  /** The user has been offered it. */
  get isRecovered(): boolean {
    return this.#isRecovered;
  }

  /** The user types: written shortly. */
  save(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    if (this.isEdited) this.#timer ??= setTimeout(() => this.flush(), longestUnwritten).unref();
    else this.#remove();
  }

  /** Writes at once what `save` has put off. */
  flush(): void {
    if (this.#timer !== undefined) this.#write(false);
  }

  /** Nobody knows yet whether the file will hold this text: on disk before this returns, and ours to follow. */
  hold(text: string, reason: string): void {
    this.#text = text;
    this.#reason = reason;
    if (this.isEdited) this.#write(true);
    else this.#remove();
  }

  /**
   * The file does not hold this text: on disk before this returns, for the user to decide.
   * @returns undefined when it holds nothing of the user's
   */
  recover(text: string, reason: string): RecoveredEdits | undefined {
    this.#text = text;
    if (!this.isEdited) {
      this.drop();
      return undefined;
    }
    this.#stopTimer();
    const edits = this.#toEdits(reason);
    this.#store.write(edits, true);
    this.#isRecovered = true;
    this.#store.hasRecovered(this);
    return edits;
  }

  /** The file holds the text, or the user does not want it. */
  drop(): void {
    if (this.#isRecovered && this.#id !== undefined) this.#store.discard(this.#id);
    else this.#remove();
    this.#store.forget(this);
  }

  #write(flush: boolean): void {
    this.#stopTimer();
    this.#store.write({ ...this.#toEdits(this.#reason), owner: thisProcess() }, flush);
  }

  #toEdits(reason: string): RecoveredEdits {
    this.#id ??= this.#store.newId();
    const { filePath, agent, newContent: proposed } = this.#proposal;
    return { id: this.#id, filePath, agent, at: Date.now(), reason, proposed, text: this.#text };
  }

  #remove(): void {
    this.#stopTimer();
    if (this.#id !== undefined) this.#store.remove(this.#id);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
