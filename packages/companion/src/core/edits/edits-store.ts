import { messageOf } from "../../system/error-message.ts";
import { isAlive, thisProcess } from "../../system/record-owner.ts";
import type { Proposal } from "../editor.ts";
import { couldHold, holdsText } from "./file-check.ts";
import {
  type Edits,
  type EditsFolder,
  type EditsRecord,
  type RecoveredEdits,
  type RecoveredEditsSummary,
  type ScannedRecord,
  toScanned,
} from "./recovered-edits.ts";

export interface EditsStoreOptions {
  readonly folder: EditsFolder;
  /** The list of recovered edits is another one. */
  readonly onChange?: () => void;
  /** Called with a sentence for the user. */
  readonly onWarning?: (message: string) => void;
}

/** What users typed in proposals: in files, and in memory as long as the disk does not take it. */
export class EditsStore implements Edits {
  readonly #folder: EditsFolder;
  readonly #onChange: () => void;
  readonly #onWarning: (message: string) => void;
  readonly #drafts = new Set<Draft>();
  /** Records that could not be written, by id. */
  readonly #unwritten = new Map<string, EditsRecord>();
  /** Sentences about damaged files; each is said once. */
  readonly #reported = new Set<string>();

  constructor({ folder, onChange = () => {}, onWarning = () => {} }: EditsStoreOptions) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#onWarning = onWarning;
  }

  /** Absolute path of the folder with its files. */
  get folder(): string {
    return this.#folder.path;
  }

  list(): readonly RecoveredEditsSummary[] {
    this.#retry();
    const { records, problems } = this.#folder.scan();
    for (const problem of problems) this.#report(problem);
    const onDisk = records.filter(({ id }) => !this.#unwritten.has(id));
    const inMemory = [...this.#unwritten.values()].map(toScanned);
    return [...inMemory, ...onDisk]
      .filter((record) => isRecovered(record) && !this.#hasArrived(record))
      .sort((one, other) => other.at - one.at)
      .map(toSummary);
  }

  read(id: string): RecoveredEdits | undefined {
    const record = this.#find(id);
    return record && isRecovered(record) ? toEdits(record) : undefined;
  }

  discard(id: string): boolean {
    const record = this.#find(id);
    if (record === undefined || !isRecovered(record) || !this.remove(id)) return false;
    this.#onChange();
    return true;
  }

  add(edits: Omit<RecoveredEdits, "id" | "at">): RecoveredEdits {
    const record = { ...edits, id: this.newId(), at: Date.now() };
    this.#folder.write(record, true);
    this.#onChange();
    return record;
  }

  /** The text of a proposal that is opened now. */
  draftOf(proposal: Proposal): Draft {
    const draft = new Draft(proposal, this);
    this.#drafts.add(draft);
    return draft;
  }

  /** Writes at once what drafts hold back. Synchronous, for exit handlers. */
  flush(): void {
    for (const draft of this.#drafts) draft.flush();
  }

  /** The companion ends: what no decision has settled waits for its user. */
  close(): void {
    for (const draft of this.#drafts) draft.recover(draft.text, "The companion stopped before you decided.");
    this.#retry();
    for (const { filePath } of this.#unwritten.values()) {
      this.#onWarning(
        `Your edits of ${filePath} could not be saved in ${this.#folder.path} and are lost now.`,
      );
    }
  }

  /** For drafts. */
  newId(): string {
    for (;;) {
      const id = this.#folder.newId();
      if (!this.#unwritten.has(id)) return id;
    }
  }

  /** For drafts. Never throws: what the disk does not take stays in memory. */
  write(record: EditsRecord, flush: boolean): void {
    this.#retry();
    try {
      this.#folder.write(record, flush);
      this.#unwritten.delete(record.id);
    } catch (error) {
      const isNews = !this.#unwritten.has(record.id);
      this.#unwritten.set(record.id, record);
      if (isNews) this.#warnUnwritten(record, error);
    }
  }

  /** For drafts. @returns whether there was such a record */
  remove(id: string): boolean {
    const wasUnwritten = this.#unwritten.delete(id);
    const wasWritten = this.#folder.remove(id);
    return wasUnwritten || wasWritten;
  }

  /** For drafts: this one has become recovered edits. */
  hasRecovered(draft: Draft): void {
    this.#drafts.delete(draft);
    this.#onChange();
  }

  /** For drafts: nothing of this one is left. */
  forget(draft: Draft): void {
    this.#drafts.delete(draft);
  }

  #find(id: string): EditsRecord | undefined {
    return this.#unwritten.get(id) ?? this.#folder.read(id);
  }

  /** Its agent was slow, or its companion ended before it looked: the text is where it belongs. */
  #hasArrived({ id, filePath, bytes }: ScannedRecord): boolean {
    if (!couldHold(filePath, bytes)) return false;
    const text = this.#find(id)?.text;
    return text !== undefined && holdsText(filePath, text) && this.remove(id);
  }

  #retry(): void {
    for (const record of [...this.#unwritten.values()]) {
      try {
        this.#folder.write(record, true);
        this.#unwritten.delete(record.id);
      } catch {
        return; // the user has been warned when it failed first
      }
    }
  }

  #warnUnwritten({ filePath }: EditsRecord, error: unknown): void {
    const cause = messageOf(error);
    this.#onWarning(
      `Your edits of ${filePath} cannot be saved in ${this.#folder.path}: ${cause}. This companion has them in memory: make room before you stop it.`,
    );
  }

  #report(problem: string): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#onWarning(`${problem}. It was left as it is.`);
  }
}

const isRecovered = ({ owner, at }: Pick<EditsRecord, "owner" | "at">) => !owner || !isAlive(owner, at);

const toSummary = ({ bytes: _, owner: __, ...summary }: ScannedRecord): RecoveredEditsSummary => summary;

const toEdits = ({ owner: _, ...edits }: EditsRecord): RecoveredEdits => edits;

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
