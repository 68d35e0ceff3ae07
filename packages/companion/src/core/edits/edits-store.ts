import { hashOf } from "../../files/text-hash.ts";
import {
  type DraftHead,
  DraftRecord,
  RecordStore,
  type RecordStoreOptions,
} from "../../system/record-store.ts";
import type { Proposal } from "../editor.ts";
import type { ReasonCode } from "../sentences.ts";
import { couldHold, holdsText } from "./file-check.ts";
import type {
  Edits,
  EditsRecord,
  RecoveredEdits,
  RecoveredEditsSummary,
  ScannedRecord,
} from "./recovered-edits.ts";

/** What users typed in proposals, until their files hold it. */
export class EditsStore extends RecordStore<EditsRecord, ScannedRecord, Draft> implements Edits {
  constructor(options: RecordStoreOptions<EditsRecord, ScannedRecord>) {
    super(options, ({ filePath }) => `Your edits of ${filePath}`);
  }

  list(): readonly RecoveredEditsSummary[] {
    return this.waiting()
      .filter((record) => !this.#hasArrived(record))
      .map(({ bytes: _, owner: __, ...summary }) => summary);
  }

  add(edits: Omit<RecoveredEdits, "id" | "at">): RecoveredEdits {
    const record = { ...edits, id: this.newId(), at: Date.now() };
    this.folder.write(record, true);
    this.onChange();
    return record;
  }

  /** The text of a proposal that is opened now. */
  draftOf(proposal: Proposal): Draft {
    const draft = new Draft(proposal, this);
    this.drafts.add(draft);
    return draft;
  }

  /** The companion ends: what no decision has settled waits for its user. */
  override close(): void {
    for (const draft of this.drafts) draft.recover(draft.text, "shutdown");
    super.close();
  }

  /** Its agent was slow, or its companion ended before it looked: the text is where it belongs. */
  #hasArrived({ id, filePath, bytes }: ScannedRecord): boolean {
    if (!couldHold(filePath, bytes)) return false;
    const text = this.read(id)?.text;
    return text !== undefined && holdsText(filePath, text) && this.remove(id);
  }
}

/** What the user typed in one proposal, from the first letter until its file holds it or its user knows of it. */
export class Draft {
  #proposal: Proposal;
  readonly #store: EditsStore;
  readonly #record: DraftRecord<EditsRecord>;
  #text: string;
  #reason: string = "companion-ended";
  #isRecovered = false;

  constructor(proposal: Proposal, store: EditsStore) {
    this.#proposal = proposal;
    this.#store = store;
    this.#record = new DraftRecord(store, (head) => this.#toRecord(head));
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
    if (text !== this.#text) this.rebase(this.#proposal, text);
  }

  /** The file has changed: the proposal is another one, and so is the text. */
  rebase(proposal: Proposal, text: string): void {
    this.#proposal = proposal;
    this.#text = text;
    if (this.isEdited) this.#record.writeSoon();
    else this.#record.remove();
  }

  /** Writes at once what `save` has put off. */
  flush(): void {
    this.#record.flush();
  }

  /** Nobody knows yet whether the file will hold this text: on disk before this returns, and ours to follow. */
  hold(text: string, reason: ReasonCode): void {
    this.#text = text;
    this.#reason = reason;
    if (this.isEdited) this.#record.write(true);
    else this.#record.remove();
  }

  /**
   * The file does not hold this text: on disk before this returns, for the user to decide.
   * @returns undefined when it holds nothing of the user's
   */
  recover(text: string, reason: ReasonCode): RecoveredEdits | undefined {
    this.#text = text;
    if (!this.isEdited) {
      this.drop();
      return undefined;
    }
    this.#reason = reason;
    const edits = this.#record.release();
    this.#isRecovered = true;
    this.#store.hasRecovered(this);
    return edits;
  }

  /** The file holds the text, or the user does not want it. */
  drop(): void {
    if (this.#isRecovered && this.#record.id !== undefined) this.#store.discard(this.#record.id);
    else this.#record.remove();
    this.#store.forget(this);
  }

  #toRecord(head: DraftHead): EditsRecord {
    const { filePath, agent, newContent: proposed, openedAt, base } = this.#proposal;
    const onDisk = base.kind === "text" ? { onDisk: hashOf(base.text) } : {};
    return {
      ...head,
      filePath,
      agent,
      reason: this.#reason,
      proposed,
      text: this.#text,
      openedAt,
      ...onDisk,
    };
  }
}
