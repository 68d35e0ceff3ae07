import { messageOf } from "./error-message.ts";
import type { RecordFolder, RecordHead } from "./record-folder.ts";
import { isAlive, type Owner, thisProcess } from "./record-owner.ts";

/** What every record of a store has. */
export interface OwnedRecord extends RecordHead {
  /** The process that still takes care of it; absent once it waits for its user. */
  readonly owner?: Owner;
}

/** A record as its user sees it. */
export type Unowned<Kept extends OwnedRecord> = Omit<Kept, "owner">;

export interface RecordStoreOptions<Stored extends OwnedRecord, Listed> {
  readonly folder: RecordFolder<Stored, Listed>;
  /** The list of records that wait is another one. */
  readonly onChange?: () => void;
  /** Called with a sentence for the user. */
  readonly onWarning?: (message: string) => void;
}

/**
 * What users must not lose: in files, and in memory as long as the disk does not take it.
 * @typeParam Draft what its user is writing
 */
export class RecordStore<
  Stored extends OwnedRecord,
  Listed extends OwnedRecord,
  Draft extends { flush(): void },
> {
  readonly folder: RecordFolder<Stored, Listed>;
  protected readonly drafts = new Set<Draft>();
  protected readonly onChange: () => void;
  readonly #describe: (record: Stored) => string;
  readonly #onWarning: (message: string) => void;
  /** Records that could not be written, by id. */
  readonly #unwritten = new Map<string, Stored>();
  /** Sentences about damaged files; each is said once. */
  readonly #reported = new Set<string>();

  /** @param describe a record, at the beginning of a sentence for the user: `Your edits of /a/b.ts` */
  constructor(
    { folder, onChange = () => {}, onWarning = () => {} }: RecordStoreOptions<Stored, Listed>,
    describe: (record: Stored) => string,
  ) {
    this.folder = folder;
    this.onChange = onChange;
    this.#onWarning = onWarning;
    this.#describe = describe;
  }

  /** Those that wait for their user, newest first. */
  waiting(): readonly Listed[] {
    this.#retry();
    const { records, problems } = this.folder.scan();
    for (const problem of problems) this.#report(problem);
    const onDisk = records.filter(({ id }) => !this.#unwritten.has(id));
    const inMemory = [...this.#unwritten.values()].map(this.folder.summarize);
    return [...inMemory, ...onDisk].filter(waits).sort((one, other) => other.at - one.at);
  }

  /** One that waits for its user. */
  read(id: string): Unowned<Stored> | undefined {
    const record = this.#unwritten.get(id) ?? this.folder.read(id);
    if (record === undefined || !waits(record)) return undefined;
    const { owner: _, ...unowned } = record;
    return unowned;
  }

  /** Forgets one that waits. @returns false when there is none of this id */
  discard(id: string): boolean {
    if (this.read(id) === undefined || !this.remove(id)) return false;
    this.onChange();
    return true;
  }

  /** Writes at once what drafts hold back. Synchronous, for exit handlers. */
  flush(): void {
    for (const draft of this.drafts) draft.flush();
  }

  /** For drafts: this one waits for its user. */
  hasRecovered(draft: Draft): void {
    this.drafts.delete(draft);
    this.onChange();
  }

  /** For drafts: this one has ended. */
  forget(draft: Draft): void {
    this.drafts.delete(draft);
  }

  /** An id that no record has. */
  newId(): string {
    for (;;) {
      const id = this.folder.newId();
      if (!this.#unwritten.has(id)) return id;
    }
  }

  /**
   * Never throws: what the disk does not take stays in memory.
   * @param flush whether it has to outlast a power failure
   */
  write(record: Stored, flush: boolean): void {
    this.#retry();
    try {
      this.folder.write(record, flush);
      this.#unwritten.delete(record.id);
    } catch (error) {
      const isNews = !this.#unwritten.has(record.id);
      this.#unwritten.set(record.id, record);
      if (isNews) {
        this.#onWarning(
          `${this.#describe(record)} cannot be saved in ${this.folder.path}: ${messageOf(error)}. This companion has them in memory: make room before you stop it.`,
        );
      }
    }
  }

  /** @returns whether there was such a record */
  remove(id: string): boolean {
    const wasUnwritten = this.#unwritten.delete(id);
    const wasWritten = this.folder.remove(id);
    return wasUnwritten || wasWritten;
  }

  /** This process ends: tries once more, and warns of what is lost with it. */
  close(): void {
    this.#retry();
    for (const record of this.#unwritten.values()) {
      const what = this.#describe(record);
      this.#onWarning(`${what} could not be saved in ${this.folder.path} and are lost now.`);
    }
  }

  #retry(): void {
    for (const record of [...this.#unwritten.values()]) {
      try {
        this.folder.write(record, true);
        this.#unwritten.delete(record.id);
      } catch {
        // The user has been warned when it failed first. A shorter one may have room.
      }
    }
  }

  #report(problem: string): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#onWarning(`${problem}. It was left as it is.`);
  }
}

const waits = ({ owner, at }: OwnedRecord) => !owner || !isAlive(owner, at);

/** How long what is typed may be in memory alone, in milliseconds. */
const longestUnwritten = 150;

type RecordWriter<Stored extends OwnedRecord> = Pick<
  RecordStore<Stored, OwnedRecord, { flush(): void }>,
  "newId" | "write" | "remove"
>;

/** The head of a record: all but what its user is writing. */
export type DraftHead = Pick<OwnedRecord, "id" | "at" | "owner">;

/** The record of what a user is writing. It has no file before the first letter. */
export class DraftRecord<Stored extends OwnedRecord> {
  readonly #store: RecordWriter<Stored>;
  readonly #toRecord: (head: DraftHead) => Stored;
  #id: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param toRecord what is to be written now, with this head */
  constructor(store: RecordWriter<Stored>, toRecord: (head: DraftHead) => Stored) {
    this.#store = store;
    this.#toRecord = toRecord;
  }

  /** Undefined before it was written first. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Writes it shortly. */
  writeSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), longestUnwritten).unref();
  }

  /** Writes at once what `writeSoon` has put off. */
  flush(): void {
    if (this.#timer !== undefined) this.write(false);
  }

  /** Writes it now, as one that this process takes care of. @param flush as of `RecordStore.write` */
  write(flush: boolean): void {
    this.#write({ owner: thisProcess() }, flush);
  }

  /** Writes it now, for its user. @returns it */
  release(): Stored {
    return this.#write({}, true);
  }

  remove(): void {
    this.#stopTimer();
    if (this.#id !== undefined) this.#store.remove(this.#id);
  }

  #write(owner: Pick<DraftHead, "owner">, flush: boolean): Stored {
    this.#stopTimer();
    this.#id ??= this.#store.newId();
    const record = this.#toRecord({ id: this.#id, at: Date.now(), ...owner });
    this.#store.write(record, flush);
    return record;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
